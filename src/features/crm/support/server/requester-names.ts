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

/** Words in the names of desks and teams, which senders without an account often have. */
const wordsOfTeams = new Set(
  'accounting accounts admin billing booking bookings center desk department front guest help hotel housekeeping info inn laundry management office operations reception reservations resort sales service services shop store support team'.split(
    ' ',
  ),
)

/**
 * Returns how a sender without an account is addressed: by their first name if the name looks like a person's,
 * such as `Jana Novak`, and otherwise by the whole name, such as `Front desk 97`.
 */
export function firstNameIn(name: string): string {
  const words = name.trim().split(/\s+/)
  const isPerson =
    /^\P{Ll}/u.test(words.at(-1)!) &&
    words.every((word) => /^[\p{L}\p{M}'’-]+$/u.test(word) && !wordsOfTeams.has(word.toLowerCase()))
  return isPerson ? words[0]! : words.join(' ')
}
