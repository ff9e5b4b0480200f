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
import type { RecordKind } from '#server/record/rows.ts'
import { inScope } from '#server/record/scope.ts'

const pageOf = (page: number) => sql`limit ${logsPerPage} offset ${(page - 1) * logsPerPage}`

async function countUpTo(db: Db, from: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{
    total: number
  }>`select count(*) as total from (select 1 ${from} limit ${mostCounted}) one`.execute(db)
  return rows[0]!.total
}

export async function findSignIns(db: Db, { page, staff_id, outcome }: SignInFilters) {
  const where = sql`${staff_id === undefined ? sql`true` : sql`i.staff_id = ${staff_id}`} and ${outcome === undefined ? sql`true` : sql`i.outcome = ${outcome}`}`
  const [{ rows }, total] = await Promise.all([
    sql<SignInRow>`select i.id, i.at, s.name as who, i.user_name, i.outcome, i.address, i.device
      from sign_ins i left join staff s on s.id = i.staff_id where ${where} order by i.at desc, i.id desc ${pageOf(page)}`.execute(
      db,
    ),
    countUpTo(db, sql`from sign_ins i where ${where}`),
  ])
  return { data: rows, total, per_page: logsPerPage }
}

async function matching(
  db: Db,
  { staff_id, area, record, from, to }: AuditFilters,
  kinds: readonly RecordKind[],
  viewer: Viewer,
) {
  const conditions: RawBuilder<unknown>[] = [sql`true`]
  if (staff_id !== undefined) conditions.push(sql`a.staff_id = ${staff_id}`)
  if (area !== '') conditions.push(sql`a.target_type = ${area}`)
  if (record !== undefined) conditions.push(sql`a.target_id = ${record} and a.target_type is not null`)
  if (from !== undefined) conditions.push(sql`a.at >= ${from}::date`)
  if (to !== undefined) conditions.push(sql`a.at < ${addDays(to, 1)}::date`)
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
