import { mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { writeArchive, type ArchiveWriter, type Manifest } from '#server/backup/archive.ts'
import { isStoredName } from '#server/files/files.ts'

/** Size of the pieces in which a table is archived, because the size of an entry must be known before it. */
const pieceBytes = 4_000_000
const nameOfBackup = /^admin-panel-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.tar\.gz(\.enc)?$/

const nameOfPart = /^admin-panel-[\dTZ]+\.tar\.gz(\.enc)?\.part$/
const abandonedMs = 3_600_000

export interface BackupOptions {
  connection: pg.ClientConfig
  dataDir: string
  /** Folder for the archive. */
  target: string
  key?: Buffer | undefined
  version: string
  now: Date
}

export interface BackupResult {
  path: string
  tables: number
  rows: number
  files: number
}

/**
 * Writes the database and the files into one archive while the panel is working: the rows are those of one moment, and
 * the files are all that they refer to, because files are never changed, and removed ones are kept for two weeks.
 */
export async function backUp({
  connection,
  dataDir,
  target,
  key,
  version,
  now,
}: BackupOptions): Promise<BackupResult> {
  await mkdir(target, { recursive: true, mode: 0o700 })
  await dropParts(target)
  const stamp = `${now.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`
  const path = join(target, `admin-panel-${stamp}.tar.gz${key ? '.enc' : ''}`)
  const client = new pg.Client({ ...connection, application_name: 'admin-panel backup' })
  // The query that runs fails when the connection is lost; without a listener, the whole process would end.
  client.on('error', () => {})
  await client.connect()
  let files = 0
  let tables: Manifest['tables'] = []
  try {
    await client.query('begin isolation level repeatable read, read only')
    await client.query('set local statement_timeout = 0')
    await writeArchive(path, key, async (archive) => {
      const head = await findHead(client)
      tables = await archiveTables(client, archive)
      files = await archiveFiles(join(dataDir, 'files'), archive)
      return { version, created_at: now.toISOString(), ...head, tables }
    })
  } finally {
    await client.end()
  }
  return { path, tables: tables.length, rows: tables.reduce((sum, { rows }) => sum + rows, 0), files }
}

/** Deletes all but the newest backups in a folder; returns how many were deleted. */
export async function dropOldBackups(folder: string, keep: number): Promise<number> {
  const names = (await readdir(folder)).filter((name) => nameOfBackup.test(name)).toSorted()
  const old = names.slice(0, Math.max(0, names.length - keep))
  for (const name of old) await rm(join(folder, name))
  return old.length
}

/** Deletes what killed backups left: parts that have not been written to for an hour. */
async function dropParts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const part = join(folder, name)
    if (nameOfPart.test(name) && Date.now() - (await stat(part)).mtimeMs > abandonedMs)
      await rm(part, { force: true })
  }
}

/** Returns when the newest backup in a folder was begun; undefined if there is none. */
export async function findNewestBackup(folder: string): Promise<Date | undefined> {
  const names = await readdir(folder).catch((): string[] => [])
  const newest = names
    .filter((name) => nameOfBackup.test(name))
    .toSorted()
    .at(-1)
  return newest === undefined ? undefined : new Date(newest.replace(nameOfBackup, '$1-$2-$3T$4:$5:$6Z'))
}

async function findHead(
  client: pg.Client,
): Promise<Pick<Manifest, 'installation' | 'migrations' | 'sequences'>> {
  const { rows: installations } = await client.query<{ id: string }>(
    'select id::text as id from installation',
  )
  const { rows: migrations } = await client.query<Manifest['migrations'][number]>(
    'select name, checksum from schema_migrations order by name',
  )
  const { rows: sequences } = await client.query<Manifest['sequences'][number]>(
    `select sequencename as name, last_value::text as last_value from pg_sequences where schemaname = 'public' order by 1`,
  )
  return { installation: installations[0]!.id, migrations, sequences }
}

/** Columns of all tables; generated ones are computed again when rows are restored. */
const columnsQuery = `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
  from pg_class c join pg_attribute a on a.attrelid = c.oid
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> 'schema_migrations'
    and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' group by 1 order by 1`

async function archiveTables(client: pg.Client, archive: ArchiveWriter): Promise<Manifest['tables']> {
  const { rows: found } = await client.query<{ name: string; columns: string[] }>(columnsQuery)
  const copies: { rowCount: number | null }[] = []
  for (const { name, columns } of found) {
    const copy = client.query(copyTo(`copy ${listOf(name, columns)} to stdout`))
    let piece = 0
    for await (const bytes of piecesOf(copy)) {
      piece += 1
      await archive.add(`tables/${name}/${String(piece).padStart(6, '0')}`, bytes.length, [bytes])
    }
    copies.push(copy)
  }
  // The count of a copy is there once the statement after it has begun.
  await client.query('select 1')
  return found.map((table, index) => ({ ...table, rows: copies[index]!.rowCount ?? 0 }))
}

/** Returns a table and its columns as in a COPY statement. */
export const listOf = (table: string, columns: readonly string[]): string =>
  `public.${pg.escapeIdentifier(table)} (${columns.map(pg.escapeIdentifier).join(', ')})`

async function* piecesOf(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = []
  let size = 0
  for await (const chunk of source) {
    held.push(chunk)
    size += chunk.length
    if (size < pieceBytes) continue
    yield Buffer.concat(held)
    held = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(held)
}

async function archiveFiles(folder: string, archive: ArchiveWriter): Promise<number> {
  const names = (await readdir(folder).catch((): string[] => [])).filter(isStoredName).toSorted()
  let count = 0
  for (const name of names) {
    const file = await open(join(folder, name), 'r').catch(() => undefined)
    // The sweep has moved it away since; no row refers to it.
    if (!file) continue
    try {
      const { size } = await file.stat()
      await archive.add(
        `files/${name}`,
        size,
        file.createReadStream({ autoClose: false }) as AsyncIterable<Buffer>,
      )
    } finally {
      await file.close()
    }
    count += 1
  }
  return count
}
