import { sql } from 'kysely'
import type { CustomerSheet } from '#features/crm/customer-view/contract.ts'
import type { Db } from '#server/db/db.ts'

type LastNote = NonNullable<CustomerSheet['notes']>[number]

/** Returns the last notes about an organization and about its users, as far as the viewer can read them. */
export async function findLastNotes(
  db: Db,
  organization: number,
  keys: { organization: boolean; users: boolean },
  most: number,
): Promise<LastNote[]> {
  const { rows } = await sql<LastNote>`
    select n.id, n.body, n.created_at, coalesce(s.name, 'System') as who,
      case when u.id is not null then json_build_object('id', u.id, 'name', u.name) end as about
    from notes n left join staff s on s.id = n.staff_id
      left join customer_users u on n.record_type = 'customer_user' and u.id = n.record_id
    where (${keys.organization} and n.record_type = 'organization' and n.record_id = ${organization})
      or (${keys.users} and n.record_type = 'customer_user' and n.record_id in (
        select c.id from customer_users c where c.organization_id = ${organization} and c.deleted_at is null))
    order by n.id desc limit ${most}`.execute(db)
  return rows
}
