import type pg from 'pg'
import { EmbeddedError, startEmbedded } from '#server/db/embedded.ts'
import { findDatabase } from '#server/db/find-database.ts'
import { MigrationError } from '#server/db/migrate.ts'
import { unusableDatabase } from '#server/db/unusable.ts'
import { readSettings, type Settings, SettingsError } from '#server/settings/settings.ts'

interface Options {
  /** Errors besides those of starting of which only the message is printed. */
  foreseen?: readonly (new () => Error)[]
  /** Whether a panel may be running on the database. */
  whileRunning?: boolean
}

/**
 * Runs work on the configured database, which may be the embedded one. For errors that the user can fix,
 * prints only the message on stderr.
 */
export async function withDatabase(
  work: (connection: pg.PoolConfig, settings: Settings) => Promise<void>,
  { foreseen = [], whileRunning = false }: Options = {},
): Promise<void> {
  try {
    const settings = readSettings(process.env)
    if (whileRunning) {
      const { connection, stop } = await findDatabase(settings)
      try {
        return await work(connection, settings)
      } finally {
        await stop()
      }
    }
    if (settings.databaseUrl !== undefined)
      return await work({ connectionString: settings.databaseUrl }, settings)
    const embedded = await startEmbedded(settings.dataDir)
    try {
      if (embedded.notice) console.log(embedded.notice)
      await work(embedded.connection, settings)
    } finally {
      await embedded.stop()
    }
  } catch (error) {
    const isForeseen = [SettingsError, EmbeddedError, MigrationError, ...foreseen].some(
      (kind) => error instanceof kind,
    )
    console.error(isForeseen ? (error as Error).message : (unusableDatabase(error) ?? error))
    process.exitCode = 1
  }
}
