import { sql } from 'kysely'
import type { Db } from '#server/db/db.ts'
import type { Writing } from '#server/record/rows.ts'

/* Addresses from which users write besides their own. Only colleagues add them, never an email by itself. */

type Changing = Pick<Writing, 'db' | 'viewer' | 'audit' | 'changed'>

interface OtherAddress {
  user_id: number
  address: string
}

/** Returns the other addresses of a user, those that were added last at the end. */
export async function findAddresses(db: Db, user_id: number): Promise<string[]> {
  const rows = await db
    .selectFrom('user_addresses')
    .select('address')
    .where('user_id', '=', user_id)
    .orderBy('added_at')
    .orderBy('address')
    .execute()
  return rows.map(({ address }) => address)
}

/** Returns the users with an address, whether it is their own or another one of theirs. */
export async function findUsersWith(db: Db, address: string): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select u.id from customer_users u
    where u.deleted_at is null and (u.email = ${address}::citext
      or u.id in (select a.user_id from user_addresses a where a.address = ${address}::citext)) order by u.id`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

/**
 * Adds an address to a user, who must be visible to the viewer; that of a deleted user is moved. One that belongs to
 * someone stays with them.
 * @param mail_id the email with which it is added
 * @returns whether it was added
 */
export async function addAddress(
  { db, viewer, audit, changed }: Changing,
  { user_id, address }: OtherAddress,
  mail_id: number | null = null,
): Promise<boolean> {
  if ((await findUsersWith(db, address)).length > 0) return false
  const values = { user_id, added_by: viewer.id, received_mail_id: mail_id }
  await db
    .insertInto('user_addresses')
    .values({ address, ...values })
    .onConflict((on) => on.column('address').doUpdateSet(values))
    .execute()
  audit({
    target: 'customer_user',
    id: user_id,
    before: { other_address: null },
    after: { other_address: address },
  })
  changed('customer_user', [user_id])
  return true
}

/** Removes an address of a user; returns whether they had it. */
export async function removeAddress(
  { db, audit, changed }: Pick<Changing, 'db' | 'audit' | 'changed'>,
  { user_id, address }: OtherAddress,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('user_addresses')
    .where('user_id', '=', user_id)
    .where('address', '=', address)
    .executeTakeFirst()
  if (numDeletedRows === 0n) return false
  audit({
    target: 'customer_user',
    id: user_id,
    before: { other_address: address },
    after: { other_address: null },
  })
  changed('customer_user', [user_id])
  return true
}

/** Removes the address that was added with an email, because the email is returned to Unsorted. */
export async function removeAddressOf(
  context: Pick<Changing, 'db' | 'audit' | 'changed'>,
  mail_id: number,
): Promise<void> {
  const added = await context.db
    .selectFrom('user_addresses')
    .select(['user_id', 'address'])
    .where('received_mail_id', '=', mail_id)
    .execute()
  for (const one of added) await removeAddress(context, one)
}
