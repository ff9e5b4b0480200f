import { sql } from 'kysely'
import type { Viewer } from '#shared/endpoint.ts'
import type { CustomerCall } from '#features/crm/customer-view/contract.ts'
import { ofProducts } from '#features/crm/organizations/server/organizations.queries.ts'
import type { Db } from '#server/db/db.ts'
import type { Parts } from '#server/record/parts.ts'

/** The viewer's calls with a customer, as parts of the organization that an undo restores. */
export const partsOfCalls = (organization: number, { id }: Viewer): Parts => ({
  table: 'customer_calls',
  where: sql`t.organization_id = ${organization} and t.staff_id = ${id}`,
})

/** Returns the viewer's last calls with customers whom they can see, newest first; users only with `users`. */
export async function findCalls(
  db: Db,
  viewer: Viewer,
  keys: { users: boolean },
  most: number,
): Promise<CustomerCall[]> {
  const { rows } = await sql<CustomerCall>`
    select c.id, c.started_at, c.seconds, o.organization_id, o.name as organization, u.id as user_id, u.name as user
    from customer_calls c join organizations o on o.organization_id = c.organization_id and o.deleted_at is null
      left join customer_users u on u.id = c.customer_user_id and u.organization_id = o.organization_id and u.deleted_at is null
        and ${keys.users}
    where c.staff_id = ${viewer.id} and ${ofProducts('o', viewer.products)}
    order by c.started_at desc, c.id desc limit ${most}`.execute(db)
  return rows
}

export async function insertCall(
  db: Db,
  call: {
    staff_id: number
    organization_id: number
    customer_user_id: number | null
    started_at: string
    seconds: number
  },
): Promise<void> {
  await db.insertInto('customer_calls').values(call).execute()
}
