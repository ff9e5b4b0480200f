import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import type pg from 'pg'
import { plainDate } from '#shared/dates.ts'
import { seedDemoData } from '#app/demo.ts'
import { clientFolder, createApp, type RunningApp } from '#app/server.ts'
import { EmbeddedError, startEmbedded, type Embedded } from '#server/db/embedded.ts'
import { migrate, MigrationError } from '#server/db/migrate.ts'
import { seedFirstAdmin } from '#server/db/seed/cast.ts'
import { seedReference } from '#server/db/seed/reference.ts'
import { hashPassword } from '#server/passwords.ts'
import { readSettings, SettingsError, type Settings } from '#server/settings.ts'

/** Requests that are under way when the panel is stopped have this long. */
const drainMs = 10_000

const say = (line: string) => process.stdout.write(`${line}\n`)

async function start(): Promise<void> {
  const settings = readSettings(process.env)
  const embedded = settings.databaseUrl === undefined ? await startEmbedded(settings.dataDir, { onLost: (error) => giveUp(error) }) : undefined
  if (embedded?.notice) say(embedded.notice)
  const connection: pg.PoolConfig = embedded?.connection ?? { connectionString: settings.databaseUrl }
  const app = await createApp({
    settings,
    connection,
    checkReplies: process.env['NODE_ENV'] === 'development',
    client: existsSync(clientFolder) ? clientFolder : undefined,
  })
  stopOnSignals(app, embedded)
  try {
    const address = await app.listen()
    await migrate(connection)
    await seedReference(app.db, settings)
    const howToSignIn = await addPeople(app, settings, embedded?.fresh ?? false)
    app.ready()
    app.work()
    say(`Listening on ${address}`)
    if (howToSignIn) say(howToSignIn)
  } catch (error) {
    await app.close().catch(() => {})
    await embedded?.stop()
    throw error
  }
}

/** Demo data or the first Super Admin; answers how to sign in, where there is something to say. */
async function addPeople(app: RunningApp, settings: Settings, fresh: boolean): Promise<string | undefined> {
  const demo = settings.demoData === 'when-fresh' ? fresh : settings.demoData
  if (demo && settings.demoPassword !== undefined) await seedDemoData(app.db, await hashPassword(settings.demoPassword), plainDate(app.clock.now()))
  const hasDemo = await app.db.selectFrom('staff').select('id').where('user_name', '=', 'digital_marketing').executeTakeFirst()
  if (hasDemo)
    return `Sign in as super_admin, admin, crm, editor or another of the cast${settings.demoPassword === undefined ? '' : ` with the password ${settings.demoPassword}`}`
  const password = settings.adminPassword ?? randomBytes(12).toString('base64url')
  if (!(await seedFirstAdmin(app.db, await hashPassword(password)))) return undefined
  return `Sign in as super_admin with the password ${settings.adminPassword === undefined ? `${password} (shown this once)` : 'of ADMIN_PASSWORD'}`
}

function stopOnSignals(app: RunningApp, embedded: Embedded | undefined): void {
  let stopping = false
  const stop = async () => {
    if (stopping) return
    stopping = true
    const cut = setTimeout(() => app.http.server.closeAllConnections(), drainMs)
    await app.close()
    clearTimeout(cut)
    await embedded?.stop()
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop().catch(giveUp))
}

function giveUp(error: unknown): never {
  // What a person can put right is one sentence; the rest is ours to see whole.
  const foreseen =
    error instanceof SettingsError ||
    error instanceof EmbeddedError ||
    error instanceof MigrationError ||
    (error as NodeJS.ErrnoException)?.code === 'EADDRINUSE'
  process.stderr.write(`${foreseen ? (error as Error).message : error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
  process.exit(1)
}

start().catch(giveUp)
