import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { HttpError } from '#server/http/errors.ts'

/** Files on the local disk, under names of ours: written to a temporary name, synced, renamed. */
export class Files {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /**
   * Stores bytes and answers the name.
   * @param ending with its dot
   * @throws HttpError 507 when the disk is full; nothing is left behind.
   */
  async store(bytes: Buffer, ending: string): Promise<string> {
    const name = `${randomBytes(20).toString('hex')}${ending}`
    const [path, temporary] = [join(this.#folder, name), join(this.#folder, `.${name}.part`)]
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    try {
      const file = await open(temporary, 'wx', 0o600)
      try {
        await file.writeFile(bytes)
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(temporary, path)
    } catch (error) {
      await rm(temporary, { force: true })
      if ((error as NodeJS.ErrnoException).code === 'ENOSPC') throw new HttpError(507, 'The disk is full.')
      throw error
    }
    return name
  }

  /** The bytes of a stored file; undefined when there is none of this name. */
  async read(name: string): Promise<Buffer | undefined> {
    if (!/^[a-f0-9]{40}\.\w+$/.test(name)) return undefined
    return readFile(join(this.#folder, name)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    })
  }

  async remove(name: string): Promise<void> {
    await rm(join(this.#folder, name), { force: true })
  }
}
