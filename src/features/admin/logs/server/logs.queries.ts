import { sql, type RawBuilder } from 'kysely'
import { addDays } from '#shared/dates.ts'
import type { Viewer } from '#shared/endpoint.ts'
import {
  logsPerPage,
  mostCounted,
  type AuditFilters,
  type AuditRow,
  type SignInFilters,
  type SignInRow,
} from '#features/admin/logs/contract.ts'
import type { Db } from '#server/db/db.ts'
import { conditionsOf } from '#server/record/list.ts'
import type { RecordKind } from '#server/record/rows.ts'
import { inScope } from '#server/record/scope.ts'

const pageOf = (page: number) => sql`limit ${logsPerPage} offset ${(page - 1) * logsPerPage}`

async function countUpTo(db: Db, from: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{
    total: number
  }>`select count(*) as total from (select 1 ${from} limit ${mostCounted}) one`.execute(db)
  return rows[0]!.total
}

export async function findSignIns(db: Db, filters: SignInFilters) {
  const conditions = conditionsOf<SignInFilters>(filters, {
    staff_id: (id) => sql`i.staff_id = ${id}`,
    outcome: (outcome) => sql`i.outcome = ${outcome}`,
  })
  const where = sql.join([sql`true`, ...conditions], sql` and `)
  const [{ rows }, total] = await Promise.all([
    sql<SignInRow>`select i.id, i.at, s.name as who, i.user_name, i.outcome, i.address, i.device
      from sign_ins i left join staff s on s.id = i.staff_id where ${where} order by i.at desc, i.id desc ${pageOf(filters.page)}`.execute(
      db,
    ),
    countUpTo(db, sql`from sign_ins i where ${where}`),
  ])
  return { data: rows, total, per_page: logsPerPage }
}

async function matching(db: Db, filters: AuditFilters, kinds: readonly RecordKind[], viewer: Viewer) {
  const conditions = [
    sql`true`,
    ...conditionsOf<AuditFilters>(filters, {
      staff_id: (id) => sql`a.staff_id = ${id}`,
      area: (area) => sql`a.target_type = ${area}`,
      record: (id) => sql`a.target_id = ${id} and a.target_type is not null`,
      from: (from) => sql`a.at >= ${from}::date`,
      to: (to) => sql`a.at < ${addDays(to, 1)}::date`,
    }),
  ]
  const { count } = await db
    .selectFrom('products')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('id', 'not in', [...viewer.products, 0])
    .executeTakeFirstOrThrow()
  // Viewers with access to every product skip the per-row check.
  if (count > 0)
    conditions.push(
      inScope(kinds, viewer, { type: 'a.target_type', id: 'a.target_id' }),
      sql`(a.target_type is distinct from 'product' or a.target_id = any(${viewer.products}::int[]))`,
    )
  return sql.join(conditions, sql` and `)
}

type Logged = Omit<AuditRow, 'name'>
type Stored = Omit<Logged, 'changes'> & { changes: Record<string, [unknown, unknown]> }
const columns =
  sql.raw(`a.id, a.at, coalesce(s.name, 'System') as who, a.act, a.endpoint, coalesce(a.target_type, '') as area,
  a.target_id as record, a.changes, a.address`)

export async function findAudit(db: Db, filters: AuditFilters, kinds: readonly RecordKind[], viewer: Viewer) {
  const where = await matching(db, filters, kinds, viewer)
  const [{ rows }, total] = await Promise.all([
    sql<Stored>`select ${columns} from audit_log a left join staff s on s.id = a.staff_id where ${where} order by a.id desc ${pageOf(filters.page)}`.execute(
      db,
    ),
    countUpTo(db, sql`from audit_log a where ${where}`),
  ])
  const data = rows.map(({ changes, ...row }): Logged => ({ ...row, changes: asList(changes) }))
  return { data, total, per_page: logsPerPage }
}

export const asList = (changes: Stored['changes']) =>
  Object.entries(changes).map(([field, [before, after]]) => ({ field, before, after }))

/** Compiles the query for all matching rows, for the export. */
export const allAudit = async (db: Db, filters: AuditFilters, kinds: readonly RecordKind[], viewer: Viewer) =>
  sql<Stored>`select ${columns} from audit_log a left join staff s on s.id = a.staff_id
    where ${await matching(db, filters, kinds, viewer)} order by a.id desc`.compile(db)
