import { createRescueLink } from '#features/admin/staff/server/invitations.queries.ts'
import type { Db } from '#server/db/db.ts'
import { writeAudit } from '#server/http/audit.ts'
import { SettingsError, type Settings } from '#server/settings/settings.ts'

const superAdmin = 0

const superAdmins = (db: Db) =>
  db
    .selectFrom('staff')
    .where('role_id', '=', superAdmin)
    .where('banned_at', 'is', null)
    .where('deleted_at', 'is', null)

/** Returns the usernames of the Super Admins who can sign in. */
export async function findSuperAdmins(db: Db): Promise<string[]> {
  const people = await superAdmins(db).select('user_name').orderBy('user_name').execute()
  return people.map(({ user_name }) => user_name)
}

/**
 * Creates a link with which a Super Admin sets a new password, for someone who has the machine but no email; the audit
 * log names the command.
 * @throws SettingsError if no Super Admin has this username.
 */
export async function rescueSuperAdmin(
  db: Db,
  settings: Settings,
  userName: string,
  now: Date,
): Promise<string> {
  return db.transaction().execute(async (tx) => {
    const person = await superAdmins(tx).select('id').where('user_name', '=', userName).executeTakeFirst()
    if (!person)
      throw new SettingsError(
        `No Super Admin is named ${userName}. Super Admins: ${(await findSuperAdmins(tx)).join(', ')}.`,
      )
    const link = await createRescueLink({ settings }, tx, person.id, now)
    await writeAudit(
      tx,
      {
        staff_id: null,
        endpoint: 'npm run admin',
        act: 'Created a password link',
        address: '',
        request_id: '',
      },
      [{ target: 'staff', id: person.id }],
    )
    return link
  })
}
