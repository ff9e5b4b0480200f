import { sql } from 'kysely'
import {
  logsPerPage,
  mostCounted,
  type SignInFilters,
  type SignInRow,
} from '#features/admin/logs/contract.ts'
import type { Db } from '#server/db/db.ts'
import { conditionsOf, findPage } from '#server/record/list.ts'

export function findSignIns(db: Db, filters: SignInFilters) {
  const conditions = conditionsOf<SignInFilters>(filters, {
    staff_id: (id) => sql`i.staff_id = ${id}`,
    outcome: (outcome) => sql`i.outcome = ${outcome}`,
  })
  const where = sql.join([sql`true`, ...conditions], sql` and `)
  return findPage(
    db,
    filters.page,
    logsPerPage,
    (limit) =>
      sql<SignInRow>`select i.id, i.at, s.name as who, i.user_name, i.outcome, i.address, i.device
        from sign_ins i left join staff s on s.id = i.staff_id where ${where} order by i.at desc, i.id desc ${limit}`,
    sql`from sign_ins i where ${where}`,
    mostCounted,
  )
}
