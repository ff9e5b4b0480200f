import type pg from 'pg'
import { resolveClusterPaths } from '#server/db/embedded-place.ts'
import { startEmbedded } from '#server/db/embedded.ts'
import { findPostmaster } from '#server/db/postmaster.ts'
import type { Settings } from '#server/settings/settings.ts'

/**
 * Finds the database for a command that works whether or not the panel is running: the one in DATABASE_URL, that of a running panel, or the embedded one, started
 * only for this command.
 */
export async function findDatabase(
  settings: Settings,
): Promise<{ connection: pg.PoolConfig; stop: () => Promise<void> }> {
  const stop = async () => {}
  if (settings.databaseUrl !== undefined)
    return { connection: { connectionString: settings.databaseUrl }, stop }
  const { cluster, socketDir } = resolveClusterPaths(settings.dataDir)
  if (findPostmaster(cluster) !== undefined)
    return { connection: { host: socketDir, port: 5432, user: 'admin_panel', database: 'admin_panel' }, stop }
  return startEmbedded(settings.dataDir)
}
