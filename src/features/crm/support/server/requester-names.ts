import type { Db } from '#server/db/db.ts'
import type { Row, Writing } from '#server/record/rows.ts'

type Auditing = Pick<Writing, 'db' | 'audit'>

/** Returns the name or the address of the customer in these columns of a ticket; null if there is none. */
export async function nameOfCustomer(db: Db, row: Row): Promise<string | null> {
  const id = row['customer_user_id']
  const user =
    typeof id === 'number'
      ? await db.selectFrom('customer_users').select('name').where('id', '=', id).executeTakeFirst()
      : undefined
  const names = [user?.name, row['sender_name'], row['sender_email']]
  return names.find((name): name is string => typeof name === 'string' && name !== '') ?? null
}

/**
 * Names the requesters of a change in the ticket's history, also of its undo: a user is only an ID there.
 * @param from values of the columns before the change; those that it leaves can be omitted
 */
export async function noteRequester(
  { db, audit }: Auditing,
  id: number,
  { from, to }: { from: Row; to: Row },
): Promise<void> {
  if (!('customer_user_id' in to) || from['customer_user_id'] === to['customer_user_id']) return
  const before = { requester: await nameOfCustomer(db, from) }
  audit({ target: 'ticket', id, before, after: { requester: await nameOfCustomer(db, to) } })
}
