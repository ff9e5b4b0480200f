import { createHash, randomBytes } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import type { Viewer } from '#shared/endpoint.ts'
import type { Database } from '#server/db/tables.ts'
import type { Scanner } from '#server/files/scanner.ts'
import { HttpError } from '#server/http/errors.ts'

/**
 * Decides whether a viewer can see the record that a file is attached to; called every time the file is
 * requested.
 */
export type MayRead = (db: Kysely<Database>, id: number, viewer: Viewer) => boolean | Promise<boolean>

/** A received file that has no final name yet. */
export interface TemporaryFile {
  path: string
  bytes: number
  sha256: Buffer
}

const storedName = /^[a-f0-9]{40}\.\w+$/
const quarantine = 'quarantine'
/** Returns whether a name is one that we generated for a stored file. */
export const isStoredName = (name: string): boolean => storedName.test(name)
const temporaryName = /^\.[a-f0-9]{40}\.part$/

/**
 * Files on the local disk under generated names. Each is written under a temporary name, synced, and renamed.
 */
export class Files {
  readonly #folder: string
  /** Looks for viruses; undefined if none is set up. */
  readonly scanner: Scanner | undefined
  readonly #readers = new Map<string, MayRead>()
  /** Opens a file for writing; replaced in tests to simulate a full disk. */
  openFile: typeof open = open

  constructor(folder: string, scanner?: Scanner) {
    this.#folder = folder
    this.scanner = scanner
  }

  /** Returns who can see the files of a type without a registered check; set by the record kit. */
  defaultReader: (type: string) => MayRead | undefined = () => undefined

  /**
   * Registers who can see a type's files. By default, those who can see the record can; files of types that
   * are not records are visible to no one.
   */
  registerReadCheck(type: string, reader: MayRead): void {
    this.#readers.set(type, reader)
  }

  readerOf(type: string): MayRead | undefined {
    return this.#readers.get(type) ?? this.defaultReader(type)
  }

  /**
   * Stores bytes in a file and returns its name.
   * @param ending file extension, including the dot
   * @throws HttpError 507 if the disk is full; nothing is left behind.
   */
  async store(bytes: Buffer, ending: string): Promise<string> {
    const { path } = await this.#write([bytes], () => {})
    return this.finalize(path, ending)
  }

  /**
   * Streams data to a temporary file and syncs it. The chunks can't be used afterward.
   * @throws HttpError 507 if the disk is full; nothing is left behind.
   */
  receive(chunks: AsyncIterable<Buffer>): Promise<TemporaryFile> {
    return this.#write(chunks, releaseMemory)
  }

  /** Writes bytes that stay in use to a temporary file and syncs it. */
  receiveBytes(bytes: Buffer): Promise<TemporaryFile> {
    return this.#write([bytes], () => {})
  }

  async #write(
    chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
    onWritten: (chunk: Buffer) => void,
  ): Promise<TemporaryFile> {
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
          onWritten(chunk)
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

  /** Returns an unused temporary path, for `finalize` to rename or the sweep to remove. */
  async temporaryPath(): Promise<string> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    return join(this.#folder, `.${randomBytes(20).toString('hex')}.part`)
  }

  /**
   * Renames a temporary file to its final name, durably, and returns that name.
   * @param ending file extension, including the dot
   */
  async finalize(temporary: string, ending: string): Promise<string> {
    const name = await this.rename(temporary, ending)
    await this.syncNames()
    return name
  }

  /** Like `finalize`, for one of several files whose names are then synced together. */
  async rename(temporary: string, ending: string): Promise<string> {
    const name = `${randomBytes(20).toString('hex')}${ending}`
    try {
      await rename(temporary, join(this.#folder, name))
    } catch (error) {
      await rm(temporary, { force: true })
      throw asFullDisk(error)
    }
    return name
  }

  /** Makes the names of files as durable as their contents, before rows refer to them. */
  async syncNames(): Promise<void> {
    try {
      const folder = await open(this.#folder, 'r')
      try {
        await folder.sync()
      } finally {
        await folder.close()
      }
    } catch (error) {
      throw asFullDisk(error)
    }
  }

  /** Returns the path of a stored file; undefined if the name is not one that we generated. */
  pathOf(name: string): string | undefined {
    return storedName.test(name) ? join(this.#folder, name) : undefined
  }

  /** Returns the bytes of a stored file; undefined if it does not exist. */
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

  /** Moves a stored file to the quarantine folder for a day, and returns its new path. */
  async quarantine(name: string, day: string): Promise<string> {
    const folder = join(this.#folder, quarantine, day)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await rename(join(this.#folder, name), join(folder, name))
    return join(folder, name)
  }

  /** Returns the names of the files in quarantine, by day. */
  async quarantined(): Promise<Map<string, string[]>> {
    const days = (await readdir(join(this.#folder, quarantine)).catch(() => [])).filter((day) =>
      /^\d{4}-\d\d-\d\d$/.test(day),
    )
    const names = days.map((day) => readdir(join(this.#folder, quarantine, day)).catch(() => []))
    return new Map((await Promise.all(names)).map((of, index) => [days[index]!, of.filter(isStoredName)]))
  }

  /** Moves a file out of quarantine, back to where it was. */
  async release(name: string, day: string): Promise<void> {
    await rename(join(this.#folder, quarantine, day, name), join(this.#folder, name))
  }

  /** Deletes the files that were quarantined on a day. */
  async deleteQuarantine(day: string): Promise<void> {
    await rm(join(this.#folder, quarantine, day), { recursive: true, force: true })
  }

  /** Returns the names of files last modified before a given time, with temporary files listed separately. */
  async olderThan(at: Date): Promise<{ stored: string[]; temporary: string[] }> {
    const found = { stored: [] as string[], temporary: [] as string[] }
    for (const name of await readdir(this.#folder).catch(() => [])) {
      const kind = storedName.test(name)
        ? found.stored
        : temporaryName.test(name)
          ? found.temporary
          : undefined
      if (!kind) continue
      // The file may have been renamed or removed since the folder was read.
      const { mtimeMs } = await stat(join(this.#folder, name)).catch(() => ({ mtimeMs: Infinity }))
      if (mtimeMs < at.getTime()) kind.push(name)
    }
    return found
  }
}

/**
 * Frees the memory of a chunk that has been written, because V8 would collect such chunks only after 64 MB of
 * them. A chunk that shares its memory, such as the last one of a part, is left to V8.
 */
function releaseMemory({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}

export function asFullDisk(error: unknown): unknown {
  // libvips reports a full disk only in its message.
  const isFull =
    (error as NodeJS.ErrnoException).code === 'ENOSPC' ||
    (error as NodeJS.ErrnoException).code === 'EDQUOT' ||
    /No space left/i.test(String(error))
  return isFull ? new HttpError(507, 'The server is out of disk space.') : error
}
