import { createWriteStream, existsSync } from 'node:fs'
import { mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable, type Writable } from 'node:stream'
import { once } from 'node:events'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import {
  BackupError,
  manifestName,
  readArchive,
  verifyArchive,
  type Manifest,
} from '#server/backup/archive.ts'
import { listOf } from '#server/backup/backup.ts'
import { restoreMarkIn } from '#server/backup/restoring.ts'
import { isStoredName } from '#server/files/files.ts'
import { findUnknownMigrations, migrate } from '#server/db/migrate.ts'

export interface RestoreOptions {
  connection: pg.ClientConfig
  dataDir: string
  archive: string
  key?: Buffer | undefined
}

/**
 * Restores a backup into an empty database and a data folder without files. The whole archive is verified before
 * anything is touched, the rows are restored in one transaction, and a restore that was interrupted can be repeated.
 * @throws BackupError
 */
export async function restore({ connection, dataDir, archive, key }: RestoreOptions): Promise<Manifest> {
  const manifest = await verifyArchive(archive, key)
  const unknown = await findUnknownMigrations(manifest.migrations)
  if (unknown !== undefined)
    throw new BackupError(
      `The backup was made by version ${manifest.version}, which has a migration that this version lacks or has changed: ${unknown}.`,
    )
  const mark = restoreMarkIn(dataDir)
  const isBegun = existsSync(mark)
  const rows = await findRows(connection, isBegun ? manifest : undefined)
  if (rows === 'others') throw new BackupError('The database has data. Restore into an empty database.')
  // The rows are the last part, in one transaction: if they are there, only the mark is left.
  if (rows === 'none') {
    const folder = join(dataDir, 'files')
    await emptyFolder(folder, isBegun)
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
    await writeFile(mark, '')
    // The tables as they were; the next start migrates the rows to this version.
    await migrate(connection, undefined, { only: new Set(manifest.migrations.map(({ name }) => name)) })
    await restoreFiles(archive, key, folder)
    await restoreRows(connection, archive, key, manifest)
  }
  await rm(mark)
  return manifest
}

/** Removes the files of an interrupted restore; any other files are refused. */
async function emptyFolder(folder: string, isBegun: boolean): Promise<void> {
  const names = await readdir(folder).catch((): string[] => [])
  if (isBegun) await rm(folder, { recursive: true, force: true })
  else if (names.some((name) => isStoredName(name)))
    throw new BackupError(`${folder} has files. Restore into an empty DATA_DIR.`)
}

/** Returns whether the database has no data, the rows of an interrupted restore, or others. */
async function findRows(
  connection: pg.ClientConfig,
  begun: Manifest | undefined,
): Promise<'none' | 'restored' | 'others'> {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query<{ used: boolean }>(
      `select to_regclass('public.staff') is not null as used`,
    )
    if (!rows[0]!.used) return 'none'
    const { rows: people } = await client.query('select from staff limit 1')
    if (people.length === 0) return 'none'
    if (!begun) return 'others'
    for (const { name, rows: wanted } of begun.tables) {
      const { rows: counts } = await client.query<{ count: number }>(
        `select count(*)::float8 as count from public.${pg.escapeIdentifier(name)}`,
      )
      if (counts[0]!.count !== wanted) return 'others'
    }
    return 'restored'
  } finally {
    await client.end()
  }
}

async function restoreFiles(archive: string, key: Buffer | undefined, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for await (const { name, content } of readArchive(archive, key)) {
    const file = name.startsWith('files/') ? name.slice('files/'.length) : undefined
    if (file === undefined || !isStoredName(file)) {
      // An entry must be read before the next one.
      for await (const _ of content);
      continue
    }
    const temporary = join(folder, `.${file}.part`)
    await pipeline(Readable.from(content), createWriteStream(temporary, { mode: 0o600, flush: true }))
    await rename(temporary, join(folder, file))
  }
  const opened = await open(folder, 'r')
  try {
    await opened.sync()
  } finally {
    await opened.close()
  }
}

/** Restores all rows in one transaction, without triggers, and has the database check all references at its end. */
async function restoreRows(
  connection: pg.ClientConfig,
  archive: string,
  key: Buffer | undefined,
  manifest: Manifest,
): Promise<void> {
  const client = new pg.Client({ ...connection, application_name: 'admin-panel restore' })
  // The query that runs fails when the connection is lost, which is then the reason.
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('begin')
    await client.query('set local statement_timeout = 0')
    const putBack = await suspendRules(client, manifest)
    await copyRows(client, archive, key, manifest)
    for (const { name, last_value } of manifest.sequences)
      if (last_value !== null)
        await client.query('select setval($1::regclass, $2::bigint)', [
          `public.${pg.escapeIdentifier(name)}`,
          last_value,
        ])
    await putBack()
    await holdEmails(client)
    await client.query('commit')
    await client.query('analyze')
  } finally {
    await client.end()
  }
}

/** Drops references between tables and disables triggers; returns what puts them back, which checks every row. */
async function suspendRules(client: pg.Client, { tables }: Manifest): Promise<() => Promise<void>> {
  const { rows: references } = await client.query<{ table: string; name: string; definition: string }>(
    `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`,
  )
  const names = tables.map(({ name }) => `public.${pg.escapeIdentifier(name)}`)
  for (const { table, name } of references)
    await client.query(`alter table ${table} drop constraint ${pg.escapeIdentifier(name)}`)
  for (const name of names) await client.query(`alter table ${name} disable trigger user`)
  // Migrations have inserted rows, which the backup has too.
  await client.query(`truncate ${names.join(', ')}`)
  return async () => {
    for (const name of names) await client.query(`alter table ${name} enable trigger user`)
    for (const { table, name, definition } of references)
      await client.query(`alter table ${table} add constraint ${pg.escapeIdentifier(name)} ${definition}`)
  }
}

async function copyRows(
  client: pg.Client,
  archive: string,
  key: Buffer | undefined,
  { tables }: Manifest,
): Promise<void> {
  let open: { table: Manifest['tables'][number]; copy: Writable & { rowCount: number } } | undefined
  const finish = async () => {
    if (!open) return
    const { table, copy } = open
    open = undefined
    copy.end()
    await once(copy, 'finish')
    if (copy.rowCount !== table.rows)
      throw new BackupError(`${table.name} has ${copy.rowCount} rows instead of ${table.rows}.`)
  }
  for await (const { name, content } of readArchive(archive, key)) {
    const [kind, tableName] = name.split('/')
    const table = kind === 'tables' ? tables.find((one) => one.name === tableName) : undefined
    if (name === manifestName || !table) {
      for await (const _ of content);
      continue
    }
    if (open?.table !== table) {
      await finish()
      const copy = client.query(copyFrom(`copy ${listOf(table.name, table.columns)} from stdin`))
      open = { table, copy: copy as unknown as Writable & { rowCount: number } }
    }
    for await (const chunk of content) if (!open.copy.write(chunk)) await once(open.copy, 'drain')
  }
  await finish()
}

/**
 * Leaves it to an admin user whether emails that were waiting are sent: it is possible that they left after the backup. The outbox
 * says so (`isStale`).
 */
async function holdEmails(client: pg.Client): Promise<void> {
  await client.query(`update mail_recipients
    set state = case state when 'sending' then 'waiting' else state end, attempts = 0, sending_since = null,
      next_try_at = least(next_try_at, now() - interval '25 hours')
    where state in ('waiting', 'sending', 'held') and next_try_at <= now()`)
}
