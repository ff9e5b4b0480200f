import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import tar from 'tar-stream'
import { z } from 'zod'

/*
 * A backup is one file: a gzipped tar or, with a key, the same encrypted with AES-256-GCM between our own first line
 * and the tag (docs/decisions/021-backups.md). Its last entry is the manifest, which has the size and the hash of
 * every other entry.
 */

/** A reason that the user can understand; only the message is printed. */
export class BackupError extends Error {
  override name = 'BackupError'
}

const int = z.number().int().nonnegative()
const Manifest = z.object({
  format: z.literal(1),
  /** Version of the panel that made the backup. */
  version: z.string(),
  created_at: z.string(),
  /** ID of the installation (server/files/installation.ts). */
  installation: z.string(),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()), rows: int })),
  /** Null if the sequence was not used yet. */
  sequences: z.array(z.object({ name: z.string(), last_value: z.string().nullable() })),
  entries: z.array(z.object({ name: z.string(), size: int, sha256: z.string() })),
})
export type Manifest = z.output<typeof Manifest>

export const manifestName = 'manifest.json'
const firstLine = Buffer.from('ADMIN-PANEL-BACKUP AES-256-GCM\n')
const [ivBytes, tagBytes] = [12, 16]

/**
 * Returns the key in a file: 32 random bytes as base64 or hex.
 * @throws BackupError
 */
export async function readKey(path: string): Promise<Buffer> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new BackupError(`The key file ${path} can’t be read.`)
  })
  const key = Buffer.from(text.trim(), /^[\da-f]{64}$/i.test(text.trim()) ? 'hex' : 'base64')
  if (key.length !== 32)
    throw new BackupError(
      `The key file ${path} must have 32 random bytes as base64 or hex (openssl rand -base64 32).`,
    )
  return key
}

export interface ArchiveWriter {
  /** Adds an entry of a known size. */
  add: (name: string, size: number, content: AsyncIterable<Buffer> | Iterable<Buffer>) => Promise<void>
  /** The entries added so far. */
  entries: Manifest['entries']
}

/**
 * Writes an archive under a temporary name, syncs it, and renames it, so that an interrupted backup is never taken for
 * one. `fill` adds the entries and returns the rest of the manifest.
 */
export async function writeArchive(
  path: string,
  key: Buffer | undefined,
  fill: (archive: ArchiveWriter) => Promise<Omit<Manifest, 'format' | 'entries'>>,
): Promise<void> {
  const temporary = `${path}.part`
  const pack = tar.pack()
  const zip = createGzip({ level: 1 })
  const file = createWriteStream(temporary, { mode: 0o600 })
  const source = pack as unknown as NodeJS.ReadableStream
  const written = key
    ? pipeline(source, zip, (zipped: AsyncIterable<Buffer>) => encrypted(zipped, key), file)
    : pipeline(source, zip, file)
  // Its rejection is awaited below, after `fill`.
  written.catch(() => {})
  try {
    const entries: Manifest['entries'] = []
    const add: ArchiveWriter['add'] = async (name, size, content) => {
      const hash = createHash('sha256')
      await pipeline(Readable.from(hashed(content, hash)), pack.entry({ name, size, mode: 0o600 }))
      entries.push({ name, size, sha256: hash.digest('hex') })
    }
    const manifest: Manifest = { format: 1, ...(await fill({ add, entries })), entries: [...entries] }
    const text = Buffer.from(JSON.stringify(manifest))
    await add(manifestName, text.length, [text])
    pack.finalize()
    await written
    await syncFile(temporary)
    await rename(temporary, path)
    await syncFile(dirname(path))
  } catch (error) {
    pack.destroy()
    await written.catch(() => {})
    await rm(temporary, { force: true })
    throw error
  }
}

async function* hashed(
  content: AsyncIterable<Buffer> | Iterable<Buffer>,
  hash: ReturnType<typeof createHash>,
) {
  for await (const chunk of content) {
    hash.update(chunk)
    yield chunk
  }
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

async function* encrypted(source: AsyncIterable<Buffer>, key: Buffer) {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  yield Buffer.concat([firstLine, iv])
  for await (const chunk of source) yield cipher.update(chunk)
  yield cipher.final()
  yield cipher.getAuthTag()
}

/** @throws BackupError if the key is another one, or the archive was changed. */
async function* decrypted(source: AsyncIterable<Buffer>, key: Buffer) {
  const start = firstLine.length + ivBytes
  let decipher: ReturnType<typeof createDecipheriv> | undefined
  let held = Buffer.alloc(0)
  for await (const chunk of source) {
    held = Buffer.concat([held, chunk])
    if (!decipher) {
      if (held.length < start) continue
      decipher = createDecipheriv('aes-256-gcm', key, held.subarray(firstLine.length, start))
      held = held.subarray(start)
    }
    // The last bytes are the tag.
    const ready = held.length - tagBytes
    if (ready <= 0) continue
    yield decipher.update(held.subarray(0, ready))
    held = held.subarray(ready)
  }
  if (!decipher || held.length !== tagBytes) throw new BackupError('The archive is incomplete.')
  ;(decipher as ReturnType<typeof createDecipheriv> & { setAuthTag: (tag: Buffer) => void }).setAuthTag(held)
  try {
    yield decipher.final()
  } catch {
    throw wrongKey()
  }
}

const wrongKey = () => new BackupError('The key is not the one of this archive, or the archive was changed.')

export interface ArchiveEntry {
  name: string
  content: AsyncIterable<Buffer>
}

/**
 * Yields the entries of an archive, in order; each must be read before the next.
 * @throws BackupError
 */
export async function* readArchive(path: string, key: Buffer | undefined): AsyncGenerator<ArchiveEntry> {
  const isEncrypted = await startsWithOurLine(path)
  if (isEncrypted && !key) throw new BackupError('The archive is encrypted. Name its key file with --key.')
  const extract = tar.extract()
  const source = createReadStream(path)
  // With a wrong key, what can't be read is noticed before the tag is compared.
  const explained = (error: unknown) =>
    isEncrypted && !(error instanceof BackupError) ? wrongKey() : asDamaged(error)
  const fed = pipeline(
    isEncrypted && key ? Readable.from(decrypted(source, key)) : source,
    createGunzip(),
    extract,
  )
  fed.catch(() => {})
  try {
    for await (const entry of extract)
      yield { name: entry.header.name, content: readable(entry as AsyncIterable<Buffer>, explained) }
    await fed
  } catch (error) {
    const reason = await fed.then(
      () => error,
      (cause: unknown) => cause,
    )
    throw explained(reason)
  } finally {
    source.destroy()
  }
}

/** Reads an entry, for a reader who doesn't see the pipeline behind it. */
async function* readable(entry: AsyncIterable<Buffer>, explained: (error: unknown) => BackupError) {
  try {
    yield* entry
  } catch (error) {
    throw explained(error)
  }
}

const asDamaged = (error: unknown): BackupError =>
  error instanceof BackupError
    ? error
    : new BackupError(`The archive is damaged: ${error instanceof Error ? error.message : String(error)}.`)

async function startsWithOurLine(path: string): Promise<boolean> {
  const file = await open(path, 'r').catch(() => {
    throw new BackupError(`The archive ${path} can’t be read.`)
  })
  try {
    const { buffer } = await file.read(Buffer.alloc(firstLine.length), 0, firstLine.length, 0)
    return buffer.equals(firstLine)
  } finally {
    await file.close()
  }
}

/**
 * Reads a whole archive and compares each entry with the manifest.
 * @throws BackupError if anything is missing, added, or different.
 */
export async function verifyArchive(path: string, key: Buffer | undefined): Promise<Manifest> {
  const found: Manifest['entries'] = []
  let manifest: Manifest | undefined
  for await (const { name, content } of readArchive(path, key)) {
    if (manifest) throw new BackupError('The archive is damaged: it has entries after its manifest.')
    if (name === manifestName) {
      manifest = parseManifest(await wholeOf(content))
      continue
    }
    const hash = createHash('sha256')
    let size = 0
    for await (const chunk of content) {
      hash.update(chunk)
      size += chunk.length
    }
    found.push({ name, size, sha256: hash.digest('hex') })
  }
  if (!manifest) throw new BackupError('The archive is incomplete: it has no manifest.')
  const wanted = JSON.stringify(manifest.entries)
  if (JSON.stringify(found) !== wanted)
    throw new BackupError('The archive is damaged: its contents differ from its manifest.')
  return manifest
}

function parseManifest(text: Buffer): Manifest {
  try {
    return Manifest.parse(JSON.parse(text.toString()))
  } catch {
    throw new BackupError(
      'The archive is damaged, or was made by another program or a later version of this one.',
    )
  }
}

async function wholeOf(content: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of content) chunks.push(chunk)
  return Buffer.concat(chunks)
}
