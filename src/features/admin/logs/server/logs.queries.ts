import { sql, type RawBuilder } from 'kysely'
import {
  logsPerPage,
  mostCounted,
  type SignInFilters,
  type SignInRow,
} from '#features/admin/logs/contract.ts'
import type { Db } from '#server/db/db.ts'
import { conditionsOf } from '#server/record/list.ts'

export const pageOf = (page: number) => sql`limit ${logsPerPage} offset ${(page - 1) * logsPerPage}`

/** Counts rows, up to `mostCounted`. */
export async function countUpTo(db: Db, from: RawBuilder<unknown>): Promise<number> {
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
