import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { plainDate } from '#shared/dates.ts'
import { seedDemoData } from '#app/server/features.ts'
import { migrate } from '#server/db/migrate.ts'
import { findCastWith, seedFirstAdmin } from '#server/db/seed/cast.ts'
import { seedReference } from '#server/db/seed/reference.ts'
import type { App } from '#server/app.ts'
import { hashPassword } from '#server/secrets/passwords.ts'
import { publishedPassword, SettingsError } from '#server/settings/settings.ts'

/**
 * Migrates the database to the version this program expects and, if the database is empty, adds the first
 * users.
 * @param fresh whether the database is the panel's own and was just created.
 * @returns sign-in instructions for the user, if there are any.
 */
export async function prepareDatabase(
  app: App,
  connection: pg.PoolConfig,
  fresh: boolean,
): Promise<string | undefined> {
  await migrate(connection)
  await app.installation.pair(app.files)
  await app.installation.advance()
  await seedReference(app.db, app.settings)
  return addPeople(app, fresh)
}

/** Adds demo data or the first Super Admin; returns sign-in instructions for the user, if there are any. */
async function addPeople({ db, clock, settings, files }: App, fresh: boolean): Promise<string | undefined> {
  if (settings.exposed && (await findCastWith(db, publishedPassword)).length > 0)
    throw new SettingsError(
      'The demo accounts in this database still use the published password, and the panel is reachable from other machines. Change it first: DEMO_PASSWORD=… npm run seed',
    )
  const demo = settings.demoData === 'when-fresh' ? fresh : settings.demoData
  if (demo && settings.demoPassword !== undefined)
    await seedDemoData(db, await hashPassword(settings.demoPassword), plainDate(clock.now()), files)
  const hasDemo = await db
    .selectFrom('staff')
    .select('id')
    .where('user_name', '=', 'digital_marketing')
    .executeTakeFirst()
  if (hasDemo) {
    const how = canShow(settings.demoPassword) ? ` with the password ${settings.demoPassword}` : ''
    return `Sign in as super_admin, admin, crm, editor, or another demo user${how}`
  }
  const password = settings.adminPassword ?? randomBytes(12).toString('base64url')
  if (!(await seedFirstAdmin(db, await hashPassword(password)))) return undefined
  if (settings.adminPassword !== undefined)
    return 'Sign in as super_admin with the password from ADMIN_PASSWORD'
  return canShow(password)
    ? `Sign in as super_admin with the password ${password} (shown only once)`
    : 'Set a password for super_admin with: npm run admin -- super_admin'
}

/** Returns whether a password can be printed: on a terminal, but not into a log, unless everyone knows it. */
const canShow = (password: string | undefined): boolean =>
  password !== undefined && (process.stdout.isTTY || password === publishedPassword)
