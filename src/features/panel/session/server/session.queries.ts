import { sql, type Kysely } from 'kysely'
import { truncate } from '#shared/truncate.ts'
import type { Database } from '#server/db/tables.ts'
import type { LoginUser, SessionReply } from '#features/panel/session/contract.ts'

/**
 * Finds an admin user by username or email address, and determines whether they have signed in from this
 * device before.
 */
export function findForLogin(
  db: Kysely<Database>,
  username: string,
  { address, user_agent }: { address: string; user_agent: string } = { address: '', user_agent: '' },
) {
  return (
    db
      .selectFrom('staff')
      .select([
        'id',
        'user_name',
        'email',
        'password_hash',
        'banned_at',
        sql<boolean>`exists (select from sessions where staff_id = staff.id and address = ${address}
        and user_agent = ${truncate(user_agent, 300)})`.as('known_here'),
      ])
      .where((where) => where.or([where('user_name', '=', username), where('email', '=', username)]))
      // An email address identifies its owner, even if another admin user has it as a username.
      .orderBy(sql`email = ${username}`, 'desc')
      .limit(1)
      .executeTakeFirst()
  )
}

/**
 * Returns whether an account is unchanged since it was looked up for a sign-in, and locks it until the end of
 * the transaction. A concurrent password change waits for the lock and then ends the session that was
 * created.
 */
export async function isUnchanged(
  db: Kysely<Database>,
  { id, password_hash, email }: { id: number; password_hash: string; email: string },
): Promise<boolean> {
  const same = await db
    .selectFrom('staff')
    .select('id')
    .where('id', '=', id)
    .where('password_hash', '=', password_hash)
    .where('email', '=', email)
    .where('banned_at', 'is', null)
    .forShare()
    .executeTakeFirst()
  return same !== undefined
}

/**
 * Returns what the browser stores about the signed-in admin user: their profile, all products, the products
 * they have, and their permissions.
 */
export async function getSessionReply(db: Kysely<Database>, id: number): Promise<SessionReply> {
  // Run sequentially, because the queries share a single transaction connection during sign-in.
  const person = await db
    .selectFrom('staff')
    .select(['id', 'first_name', 'last_name', 'role_id', 'slug', 'picture'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const products = await db
    .selectFrom('products')
    .select(['id', 'slug', 'name', 'status'])
    .orderBy('id')
    .execute()
  const assigned = await db
    .selectFrom('staff_products')
    .select('product_id')
    .where('staff_id', '=', id)
    .orderBy('product_id')
    .execute()
  const granted = await db
    .selectFrom('role_permissions as g')
    .innerJoin('permissions as p', 'p.name', 'g.permission')
    .select('g.permission')
    .where('g.role_id', '=', person.role_id)
    .orderBy('p.position')
    .execute()
  const { picture, ...rest } = person
  const user: LoginUser = { ...rest, avatar: picture, name: `${person.first_name} ${person.last_name}` }
  return {
    user,
    products,
    user_product: assigned.map((row) => row.product_id),
    user_permissions: granted.map((row) => row.permission),
  }
}
