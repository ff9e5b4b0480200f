import { createHash, randomBytes } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import type { Viewer } from '#shared/endpoint.ts'
import { passedThrough } from '#server/upload-memory.ts'
import type { Database } from '#server/db/tables.ts'
import { HttpError } from '#server/http/errors.ts'

/** Whether somebody may see the record that a file belongs to, asked each time the file is. */
export type MayRead = (db: Kysely<Database>, id: number, viewer: Viewer) => boolean | Promise<boolean>

/** A file that came in and has no name yet. */
export interface TemporaryFile {
  path: string
  bytes: number
  sha256: Buffer
}

const storedName = /^[a-f0-9]{40}\.\w+$/
const temporaryName = /^\.[a-f0-9]{40}\.part$/

/** Files on the local disk, under names of ours: written to a temporary name, synced, renamed. */
export class Files {
  readonly #folder: string
  readonly #readers = new Map<string, MayRead>()
  /** How a file is opened for writing; tests put a full disk here. */
  openFile: typeof open = open

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Says who may see the files of a record type: those of a type that nobody spoke for are seen by nobody. */
  mayRead(type: string, reader: MayRead): void {
    this.#readers.set(type, reader)
  }

  readerOf(type: string): MayRead | undefined {
    return this.#readers.get(type)
  }

  /**
   * Stores bytes and answers the name.
   * @param ending with its dot
   * @throws HttpError 507 when the disk is full; nothing is left behind.
   */
  async store(bytes: Buffer, ending: string): Promise<string> {
    const { path } = await this.receive([bytes])
    return this.keep(path, ending)
  }

  /**
   * Streams to a temporary name and syncs.
   * @throws HttpError 507 when the disk is full; nothing is left behind.
   */
  async receive(chunks: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<TemporaryFile> {
    const path = await this.temporaryPath()
    const hash = createHash('sha256')
    let bytes = 0
    try {
      const file = await this.openFile(path, 'wx', 0o600)
      try {
        for await (const chunk of chunks) {
          await file.writeFile(chunk)
          hash.update(chunk)
          bytes += chunk.length
          passedThrough(chunk.length)
        }
        await file.sync()
      } finally {
        await file.close()
      }
    } catch (error) {
      await rm(path, { force: true })
      throw asFullDisk(error)
    }
    return { path, bytes, sha256: hash.digest() }
  }

  /** A name that no file has, which `keep` takes and the sweep removes. */
  async temporaryPath(): Promise<string> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    return join(this.#folder, `.${randomBytes(20).toString('hex')}.part`)
  }

  /**
   * Gives a temporary file its name for good, and answers it.
   * @param ending with its dot
   */
  async keep(temporary: string, ending: string): Promise<string> {
    const name = `${randomBytes(20).toString('hex')}${ending}`
    try {
      await rename(temporary, join(this.#folder, name))
      // The name is as durable as the bytes before a row says that it is there.
      const folder = await open(this.#folder, 'r')
      try {
        await folder.sync()
      } finally {
        await folder.close()
      }
    } catch (error) {
      await rm(temporary, { force: true })
      throw asFullDisk(error)
    }
    return name
  }

  /** Where a stored file lies; undefined when the name is none of ours. */
  pathOf(name: string): string | undefined {
    return storedName.test(name) ? join(this.#folder, name) : undefined
  }

  /** The bytes of a stored file; undefined when there is none of this name. */
  async read(name: string): Promise<Buffer | undefined> {
    const path = this.pathOf(name)
    if (!path) return undefined
    return readFile(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    })
  }

  async remove(name: string): Promise<void> {
    await rm(join(this.#folder, name), { force: true })
  }

  /** The names, temporary ones apart, of files that were last written before an instant. */
  async olderThan(at: Date): Promise<{ stored: string[]; temporary: string[] }> {
    const found = { stored: [] as string[], temporary: [] as string[] }
    for (const name of await readdir(this.#folder).catch(() => [])) {
      const kind = storedName.test(name) ? found.stored : temporaryName.test(name) ? found.temporary : undefined
      if (!kind) continue
      // It may have been given its name, or removed, since the folder was read.
      const { mtimeMs } = await stat(join(this.#folder, name)).catch(() => ({ mtimeMs: Infinity }))
      if (mtimeMs < at.getTime()) kind.push(name)
    }
    return found
  }
}

export function asFullDisk(error: unknown): unknown {
  // libvips says it in words.
  const isFull =
    (error as NodeJS.ErrnoException).code === 'ENOSPC' || (error as NodeJS.ErrnoException).code === 'EDQUOT' || /No space left/i.test(String(error))
  return isFull ? new HttpError(507, 'The disk is full.') : error
}
