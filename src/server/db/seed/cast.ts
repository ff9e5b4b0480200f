import { sql } from 'kysely'
import { productIds } from '#shared/products.ts'
import { roles, type RoleId } from '#shared/access.ts'
import type { Db } from '#server/db/db.ts'
import { endSessions } from '#server/http/session.ts'
import { verifyPassword } from '#server/secrets/passwords.ts'

export interface CastMember {
  role_id: RoleId
  user_name: string
  first_name: string
  last_name: string
  email: string
  team: string
}

const member = (
  role_id: RoleId,
  user_name: string,
  first_name: string,
  last_name: string,
  team: string,
): CastMember => ({
  role_id,
  user_name,
  first_name,
  last_name,
  email: `${first_name}.${last_name}@example.com`.toLowerCase(),
  team,
})

/** One admin user per role, identical in demo data, tests, e2e, and the README. */
export const cast: readonly CastMember[] = [
  member(0, 'super_admin', 'Ingrid', 'Solheim', 'Development'),
  member(1, 'admin', 'Martin', 'Keller', 'Sales'),
  member(2, 'crm', 'Paula', 'Ferreira', 'Sales'),
  member(3, 'editor', 'Nadia', 'Rahman', 'Content'),
  member(4, 'support', 'Tom', 'Whitfield', 'Support'),
  member(5, 'data_entry', 'Lucia', 'Moretti', 'Sales'),
  member(6, 'digital_marketing', 'Jonas', 'Lindqvist', 'Content'),
  member(7, 'adh', 'Grace', 'Okafor', 'Support'),
  member(8, 'development_lead', 'Viktor', 'Novak', 'Development'),
  member(9, 'developer', 'Mei', 'Tanaka', 'Development'),
  member(10, 'csm', 'Daniel', 'Aguirre', 'Support'),
  member(11, 'adh_helper', 'Priya', 'Nair', 'Support'),
  member(12, 'qa', 'Olena', 'Shevchenko', 'Development'),
  member(13, 'designer', 'Hugo', 'Lambert', 'Design'),
]

/** Adds the missing members of the cast, with all four products; existing members are not changed. */
export async function seedCast(db: Db, passwordHash: string): Promise<void> {
  await addPeople(db, cast, passwordHash)
}

/** Returns the IDs of the demo accounts that can sign in with a password. */
export async function findCastWith(db: Db, password: string): Promise<number[]> {
  const people = await db
    .selectFrom('staff')
    .select(['id', 'password_hash'])
    .where('banned_at', 'is', null)
    .where((where) =>
      where.or([
        where(
          'user_name',
          'in',
          cast.map(({ user_name }) => user_name),
        ),
        where(
          'email',
          'in',
          cast.map(({ email }) => email),
        ),
      ]),
    )
    .execute()
  // Accounts seeded together share a hash, and each check takes 40 ms.
  const fits = new Map<string, boolean>()
  for (const { password_hash } of people)
    if (!fits.has(password_hash)) fits.set(password_hash, await verifyPassword(password, password_hash))
  return people.filter(({ password_hash }) => fits.get(password_hash)).map(({ id }) => id)
}

/**
 * Replaces the password of the demo accounts that still have the old one, ends their sessions, and
 * invalidates their links; returns the number of those accounts.
 */
export async function replaceCastPassword(
  db: Db,
  old: string,
  password_hash: string,
  now: Date,
): Promise<number> {
  const ids = await findCastWith(db, old)
  if (ids.length === 0) return 0
  await db.transaction().execute(async (tx) => {
    await tx.updateTable('staff').set({ password_hash }).where('id', 'in', ids).execute()
    await tx
      .updateTable('staff_invitations')
      .set({ used_at: now.toISOString() })
      .where('staff_id', 'in', ids)
      .where('used_at', 'is', null)
      .execute()
    for (const id of ids) await endSessions(tx, id, now)
  })
  return ids.length
}

/** Adds the first Super Admin to a panel without demo data; returns false if any admin user exists. */
export async function seedFirstAdmin(db: Db, passwordHash: string): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    // The lock ensures that two processes starting together add each person only once.
    await sql`lock table staff in share row exclusive mode`.execute(tx)
    if (await tx.selectFrom('staff').select('id').limit(1).executeTakeFirst()) return false
    const { name } = roles[0]
    const [first_name = name, last_name = name] = name.split(' ')
    await addPeople(
      tx,
      [
        {
          role_id: 0,
          user_name: 'super_admin',
          first_name,
          last_name,
          email: 'super_admin@example.com',
          team: 'Development',
        },
      ],
      passwordHash,
    )
    return true
  })
}

async function addPeople(db: Db, people: readonly CastMember[], password_hash: string): Promise<void> {
  const work = async (tx: Db) => {
    const added = await tx
      .insertInto('staff')
      // Backdate the accounts, because the progress report covers past days.
      .values(
        people.map(({ team: _, ...person }) => ({
          ...person,
          slug: person.user_name.replaceAll('_', '-'),
          password_hash,
          created_at: '2025-01-06T08:00:00Z',
        })),
      )
      .onConflict((conflict) => conflict.doNothing())
      .returning(['id', 'user_name'])
      .execute()
    if (added.length === 0) return
    const teams = await tx.selectFrom('teams').select(['id', 'name']).execute()
    const memberships = added.flatMap(({ id, user_name }) => {
      const team = teams.find(
        ({ name }) => name === people.find((person) => person.user_name === user_name)?.team,
      )
      return team ? [{ staff_id: id, team_id: team.id }] : []
    })
    await tx
      .insertInto('staff_products')
      .values(added.flatMap(({ id }) => productIds.map((product_id) => ({ staff_id: id, product_id }))))
      .execute()
    if (memberships.length > 0) await tx.insertInto('team_members').values(memberships).execute()
  }
  await (db.isTransaction ? work(db) : db.transaction().execute(work))
}
