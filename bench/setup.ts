import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadLeads } from './load.ts'
import type { Target } from './measure.ts'
import { openDatabase, type OpenDatabase } from '#server/db/db.ts'
import { startEmbedded } from '#server/db/embedded.ts'
import { migrate } from '#server/db/migrate.ts'
import { seedCast } from '#server/db/seed/cast.ts'
import { seedReference } from '#server/db/seed/reference.ts'
import { openRealSession } from '#app/testing/process.testing.ts'
import { hashPassword } from '#server/secrets/passwords.ts'

export interface Bench {
  url: string
  database: OpenDatabase
  dataDir: string
  token: string
  /** Signs in another member of the cast. */
  tokenOf: (userName: string) => Promise<string>
  /** Whether an earlier run left its database in the folder BENCH_DATA. */
  isLoaded: boolean
  /** Lets later runs use the database in this folder. */
  markLoaded: () => void
  /** Starts a server on this database; resolves when it listens. */
  start: (name: string, file: string, env?: Record<string, string>) => Promise<Target>
  stop: () => Promise<void>
}

/**
 * Starts a durable embedded database with the cast and a number of leads, and signs in a member of the cast.
 * With BENCH_DATA, the database stays in this folder, and the next run uses it as it is, with the newest migrations.
 */
export async function setUp(leads: number, today: string, userName = 'crm'): Promise<Bench> {
  const keptDir = process.env['BENCH_DATA']
  const dataDir = keptDir ?? mkdtempSync(join(tmpdir(), 'admin-panel-bench-'))
  mkdirSync(dataDir, { recursive: true })
  const marker = join(dataDir, 'bench-loaded')
  const isLoaded = existsSync(marker)
  const embedded = await startEmbedded(dataDir)
  const { host, port, user, database: name } = embedded.connection
  const url = `postgres://${user}@localhost:${port}/${name}?host=${encodeURIComponent(String(host))}`
  await migrate(embedded.connection)
  const database = openDatabase(embedded.connection)
  await seedReference(database.db, { product1Name: 'Linen' })
  if (!isLoaded) {
    await seedCast(database.db, await hashPassword('demo-password'))
    if (leads > 0) await loadLeads(database.db, leads, today)
  }
  const tokenOf = async (name: string) => {
    const { id } = await database.db
      .selectFrom('staff')
      .select('id')
      .where('user_name', '=', name)
      .executeTakeFirstOrThrow()
    return openRealSession(database.db, id)
  }
  const token = await tokenOf(userName)
  const children: ChildProcess[] = []
  return {
    url,
    database,
    dataDir,
    token,
    tokenOf,
    isLoaded,
    markLoaded() {
      writeFileSync(marker, '')
    },
    async start(target, file, env = {}) {
      // The same flag as in `npm start`.
      const child = spawn(process.execPath, ['--max-semi-space-size=16', file], {
        env: {
          PATH: process.env['PATH'],
          // As in `npm start`.
          MALLOC_ARENA_MAX: '2',
          NODE_ENV: 'production',
          PORT: '0',
          LIVE_PORT: '0',
          RATE_LIMITS: 'off',
          DATABASE_URL: url,
          DATA_DIR: dataDir,
          ...env,
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      children.push(child)
      return { name: target, pid: child.pid!, origin: await addressOf(child) }
    },
    async stop() {
      for (const child of children.filter(
        ({ exitCode, signalCode }) => exitCode === null && signalCode === null,
      )) {
        const ended = new Promise((done) => child.once('exit', done))
        child.kill('SIGTERM')
        await ended
      }
      await database.close()
      await embedded.stop()
      if (!keptDir) rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((found, failed) => {
    let output = ''
    child.once('exit', (code) => failed(new Error(`The server ended with ${code}: ${output}`)))
    child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-2000)
      const address = /Listening on (http:\/\/[^\s"]+)/.exec(output)?.[1]
      if (address) found(address)
    })
  })
}
