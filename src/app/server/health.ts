import { statfs } from 'node:fs/promises'
import { sql } from 'kysely'
import type { App } from '#server/app.ts'
import { compareMigrations } from '#server/db/migrate.ts'

export type Phase = 'running' | 'draining'

/** Free space in DATA_DIR below which a process can't be relied on to store files. */
const leastFreeBytes = 200_000_000

/** The state of each part that the panel depends on. */
interface Parts {
  database: 'ok' | 'unreachable'
  /** `newer`: a later version has migrated the database, as during a rolling upgrade. */
  migrations: 'ok' | 'pending' | 'newer' | 'unknown'
  disk: 'ok' | 'full' | 'unknown'
  /** `off` without a mail server; `failing` if the last thing that it did was to refuse an email. */
  mail: 'ok' | 'off' | 'failing' | 'unknown'
  jobs: 'ok' | 'stopped'
}

export interface Readiness extends Parts {
  status: 'ready' | 'draining' | 'unavailable'
  version: string
  /** Why the process should get no requests; empty if it should. */
  reasons: string[]
}

/**
 * Serves `/api/health`, which answers 200 while the process can answer, and `/api/ready`, which answers 503 with
 * reasons while the process should get no requests (docs/decisions/020-health-and-readiness.md). Returns the function
 * that begins to drain.
 */
export function serveHealth(app: App, version: string): () => void {
  let phase: Phase = 'running'
  app.http.get('/api/health', () => ({ status: 'ok', version }))
  app.http.get('/api/ready', async (_request, reply) => {
    const readiness = readinessOf(phase, await findParts(app), version)
    return reply.code(readiness.status === 'ready' ? 200 : 503).send(readiness)
  })
  app.http.addHook('onRequest', async (_request, reply) => {
    // A proxy keeps connections open, and could send a request on one at the moment when it is cut.
    if (phase === 'draining') void reply.header('Connection', 'close')
  })
  return () => {
    phase = 'draining'
  }
}

/** Returns whether a process should get requests. Email and background jobs never decide that, because lists and forms work without them. */
export function readinessOf(phase: Phase, parts: Parts, version: string): Readiness {
  const reasons = [
    phase === 'draining' && 'The panel is stopping.',
    parts.database !== 'ok' && 'The database can’t be reached.',
    parts.migrations === 'pending' && 'The database has pending migrations.',
    parts.disk === 'full' && `DATA_DIR has less than ${leastFreeBytes / 1_000_000} MB of free space.`,
  ].filter((reason) => reason !== false)
  const status = phase !== 'running' ? phase : reasons.length > 0 ? 'unavailable' : 'ready'
  return { status, version, ...parts, reasons }
}

async function findParts(app: App): Promise<Parts> {
  const [database, migrations, disk, mail] = await Promise.all([
    sql`select 1`.execute(app.db).then(
      () => 'ok' as const,
      () => 'unreachable' as const,
    ),
    compareMigrations(app.pool).catch(() => 'unknown' as const),
    findDisk(app.settings.dataDir).catch(() => 'unknown' as const),
    findMail(app).catch(() => 'unknown' as const),
  ])
  return { database, migrations, disk, mail, jobs: app.jobs.isRunning ? 'ok' : 'stopped' }
}

async function findDisk(folder: string): Promise<Parts['disk']> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize < leastFreeBytes ? 'full' : 'ok'
}

async function findMail({ db, mail }: App): Promise<Parts['mail']> {
  if (!mail.isOn) return 'off'
  const { rows } = await sql<{
    failing: boolean
  }>`select coalesce(max(last_error_at) > coalesce(max(sent_at), '-infinity'), false) as failing from mail_recipients`.execute(
    db,
  )
  return rows[0]!.failing ? 'failing' : 'ok'
}
