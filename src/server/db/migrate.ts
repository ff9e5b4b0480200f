import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'

export const ownMigrations = join(import.meta.dirname, 'migrations')
/**
 * Arbitrary key of an advisory lock, so that two processes that start together migrate one after the other.
 */
const migrationLock = 7_261_001

/** Thrown if this program cannot use the database; only the message is printed. */
export class MigrationError extends Error {
  override name = 'MigrationError'
}

interface Migration {
  name: string
  sql: string
  checksum: string
}

interface MigrateOptions {
  /** Names of the only migrations to apply, as for an older backup. */
  only?: ReadonlySet<string>
  /**
   * Longest wait for a lock. All others who need the same table wait behind a migration that waits, so it gives up soon,
   * lets them pass, and tries again.
   */
  lockMs?: number
  tries?: number
}

/**
 * Migrates the database to the schema that the code expects; returns the names of the applied migrations.
 * @throws MigrationError if an applied file was changed, the database is newer than the code, or a migration
 * fails (and is rolled back).
 */
export async function migrate(
  connection: pg.ClientConfig,
  folder = ownMigrations,
  { only, lockMs = 2000, tries = 30 }: MigrateOptions = {},
): Promise<string[]> {
  const all = await readMigrations(folder)
  const migrations = only ? all.filter(({ name }) => only.has(name)) : all
  const client = new pg.Client({ ...connection, application_name: 'admin-panel migration' })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    const todo = pending(migrations, await appliedIn(client))
    for (const migration of todo) await applyWhenUnlocked(client, migration, lockMs, tries)
    return todo.map(({ name }) => name)
  } finally {
    await client.end()
  }
}

/** Returns the first of these migrations that this version doesn't have, or has with other contents. */
export async function findUnknownMigrations(
  found: readonly { name: string; checksum: string }[],
): Promise<string | undefined> {
  const own = new Map((await readMigrations(ownMigrations)).map(({ name, checksum }) => [name, checksum]))
  return found.find(({ name, checksum }) => own.get(name) !== checksum)?.name
}

let known: Promise<readonly Migration[]> | undefined

/** Compares the database with the migrations of this version; `newer` if it has others, and none is missing. */
export async function compareMigrations(pool: pg.Pool): Promise<'ok' | 'pending' | 'newer'> {
  known ??= readMigrations(ownMigrations).catch((error: unknown) => {
    // Read them again the next time; otherwise one failure would be reported until the process ends.
    known = undefined
    throw error
  })
  const names = (await known).map(({ name }) => name)
  const { rows } = await pool.query<{ name: string }>('select name from schema_migrations')
  const applied = new Set(rows.map(({ name }) => name))
  if (names.some((name) => !applied.has(name))) return 'pending'
  return applied.size > names.length ? 'newer' : 'ok'
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).toSorted()
  const migrations = await Promise.all(
    files.map(async (file) => {
      const sql = (await readFile(join(folder, file), 'utf8')).replaceAll('\r\n', '\n')
      return {
        name: file.slice(0, -'.sql'.length),
        sql,
        checksum: createHash('sha256').update(sql).digest('hex'),
      }
    }),
  )
  const numbers = new Set<string>()
  for (const { name } of migrations) {
    const number = /^(\d{4})_[a-z0-9_]+$/.exec(name)?.[1]
    if (!number) throw new MigrationError(`Migration ${name} must be named NNNN_topic.`)
    if (numbers.has(number)) throw new MigrationError(`Two migrations have the same number: ${number}.`)
    numbers.add(number)
  }
  return migrations
}

async function appliedIn(client: pg.Client): Promise<Map<string, string>> {
  await client.query(
    'create table if not exists schema_migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())',
  )
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migrations',
  )
  return new Map(rows.map((row) => [row.name, row.checksum]))
}

function pending(migrations: readonly Migration[], applied: ReadonlyMap<string, string>): Migration[] {
  const known = new Set(migrations.map(({ name }) => name))
  const unknown = [...applied.keys()].filter((name) => !known.has(name)).toSorted()
  if (unknown.length > 0)
    throw new MigrationError(
      `The database is newer than this version: it has migration ${unknown.join(', ')}. Start the version that created it.`,
    )
  const changed = migrations.find(({ name, checksum }) => applied.has(name) && applied.get(name) !== checksum)
  if (changed)
    throw new MigrationError(
      `Migration ${changed.name} was changed after it was applied. Restore the file and add a new migration.`,
    )
  return migrations.filter(({ name }) => !applied.has(name))
}

const isLocked = (error: unknown) =>
  ((error as MigrationError).cause as pg.DatabaseError | undefined)?.code === '55P03'

async function applyWhenUnlocked(
  client: pg.Client,
  migration: Migration,
  lockMs: number,
  tries: number,
): Promise<void> {
  for (let left = tries - 1; ; left -= 1)
    try {
      return await apply(client, migration, lockMs)
    } catch (error) {
      if (left === 0 || !isLocked(error)) throw error
      await delay(lockMs)
    }
}

async function apply(client: pg.Client, { name, sql, checksum }: Migration, lockMs: number): Promise<void> {
  await client.query('begin')
  try {
    await client.query(`set local lock_timeout = ${lockMs}`)
    await client.query(sql)
    await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [name, checksum])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw new MigrationError(
      `Migration ${name} failed and was rolled back: ${error instanceof Error ? error.message : String(error)}`,
      {
        cause: error,
      },
    )
  }
}
