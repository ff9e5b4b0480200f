import { existsSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import type { RunningApp } from '#app/server/server.ts'
import { demandWholeRestore } from '#server/backup/restoring.ts'
import { EmbeddedError, startEmbedded, type Embedded } from '#server/db/embedded.ts'
import { MigrationError } from '#server/db/migrate.ts'
import { unusableDatabase } from '#server/db/unusable.ts'
import { readSettings, SettingsError } from '#server/settings/settings.ts'
import { startTracing, tracing } from '#server/tracing/tracing.ts'
import { version } from '#app/server/version.ts'

/** Time allowed for in-flight requests to finish when the panel is stopped. */
const finishSeconds = 10

/** Prints a line about the start: JSON like all others in production, and otherwise text. */
function say(msg: string): void {
  const isJson = process.env['NODE_ENV'] === 'production'
  process.stdout.write(
    `${isJson ? JSON.stringify({ level: 30, time: Date.now(), pid: process.pid, msg }) : msg}\n`,
  )
}

/** Starts the panel as configured by the environment. On failure, prints the reason and exits. */
export const start = () => run().catch(giveUp)

async function run(): Promise<void> {
  const settings = readSettings(process.env)
  demandWholeRestore(settings.dataDir)
  await startTracing(process.env, version)
  // Most of the code loads while the database starts.
  const [embedded, { clientFolder, createApp }, { prepareDatabase }] = await Promise.all([
    settings.databaseUrl === undefined
      ? startEmbedded(settings.dataDir, {
          onLost: giveUp,
          sharedBuffersMb: settings.sharedBuffersMb,
        })
      : undefined,
    import('#app/server/server.ts'),
    import('#app/server/prepare-database.ts'),
  ])
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
    const howToSignIn = await prepareDatabase(app, connection, embedded?.fresh ?? false)
    // Printed first, because a password is shown only once, and the port may be taken.
    if (howToSignIn) say(howToSignIn)
    // A proxy without probes sends requests to each process that accepts connections.
    const address = await app.listen()
    app.ready()
    app.work()
    say(`Listening on ${address}`)
    for (const warning of settings.warnings) say(`Warning: ${warning}`)
  } catch (error) {
    await app.close().catch(() => {})
    await embedded?.stop()
    throw error
  }
}

function stopOnSignals(app: RunningApp, embedded: Embedded | undefined): void {
  let stopping = false
  const stop = async () => {
    if (stopping) return
    stopping = true
    const { drainSeconds, stopSeconds } = app.settings
    const giveUpLate = () =>
      giveUp(new SettingsError(`The panel did not stop within ${stopSeconds} seconds.`))
    setTimeout(giveUpLate, stopSeconds * 1000).unref()
    app.drain()
    await delay(drainSeconds * 1000)
    const finishMs = Math.min(finishSeconds, (stopSeconds - drainSeconds) / 2) * 1000
    const cut = setTimeout(() => app.http.server.closeAllConnections(), finishMs)
    await app.close()
    clearTimeout(cut)
    await embedded?.stop()
    await tracing()
      ?.stop()
      .catch(() => {})
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop().catch(giveUp))
}

function giveUp(error: unknown): never {
  // For errors that the user can fix, print only the message; for all others, print the full stack trace.
  const foreseen =
    error instanceof SettingsError || error instanceof EmbeddedError || error instanceof MigrationError
  const line = foreseen ? error.message : unusableDatabase(error)
  process.stderr.write(
    `${line ?? (error instanceof Error ? (error.stack ?? error.message) : String(error))}\n`,
  )
  process.exit(1)
}
