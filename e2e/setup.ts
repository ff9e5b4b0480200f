import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getChromium } from '../scripts/chromium.ts'
import { startTestCluster } from '#server/db/testing.ts'
import { filesVariable } from './panel.ts'
import { startServer, stopServer } from './server.ts'

const root = join(import.meta.dirname, '..')

/**
 * Finds Chromium, builds the web client if it is stale, and prepares what each panel is copied from: a database
 * and a data folder with the demo data. Returns a cleanup function.
 */
export default async function setUp(): Promise<() => Promise<void>> {
  process.env['CHROMIUM_PATH'] = getChromium()
  const { status } = spawnSync(process.execPath, ['scripts/build-web.ts', '--if-stale'], {
    cwd: root,
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error('The web client could not be built.')

  const files = mkdtempSync(join(tmpdir(), 'admin-panel-e2e-'))
  process.env[filesVariable] = files
  // The server itself migrates the database and adds the demo data, as at its first start elsewhere.
  const stopCluster = await startTestCluster(async (connection) =>
    stopServer(await startServer(connection, files, { DEMO_DATA: '1' })),
  )
  return async () => {
    await stopCluster()
    rmSync(files, { recursive: true, force: true })
  }
}
