import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { z } from 'zod'
import { asFullDisk, type Files } from '#server/files/files.ts'
import { SettingsError } from '#server/settings/settings.ts'

const fileName = 'installation.json'
const Installation = z.object({ id: z.string(), mark: z.int().nonnegative() })
type Installation = z.output<typeof Installation>

/**
 * Pairs a data folder with its database, so that a folder's files are never checked against the rows of a
 * different database.
 */
export class InstallationFile {
  readonly #pool: pg.Pool
  readonly #folder: string

  constructor(pool: pg.Pool, dataDir: string) {
    this.#pool = pool
    this.#folder = dataDir
  }

  /**
   * Checks that the folder belongs to the database, and pairs them if the folder is new.
   * @throws SettingsError if the folder belongs to another database.
   */
  async pair(files: Files): Promise<void> {
    const { rows } = await this.#pool.query<{ id: string }>('select id from installation')
    const id = rows[0]!.id
    const found = await this.#read()
    if (found?.id === id) return
    const correction =
      'Set DATABASE_URL to the database of these files, or DATA_DIR to the folder of this database.'
    if (found)
      throw new SettingsError(
        `${this.#folder} belongs to another database. ${correction} If they do belong together, delete ${join(this.#folder, fileName)}.`,
      )
    if (!(await this.#knowsFilesOf(files)))
      throw new SettingsError(
        `None of the files in ${this.#folder} are in the database. ${correction} To start over, move the folder elsewhere.`,
      )
    await this.#write({ id, mark: 0 })
  }

  /**
   * Increments the mark in the database and then copies it to the folder. A database restored from an older
   * dump keeps its lower mark, so it can be recognized.
   */
  async advance(): Promise<void> {
    const found = await this.#read()
    if (!found) return
    const { rows } = await this.#pool.query<Installation>(
      'update installation set mark = mark + 1 where id::text = $1 and mark >= $2 returning id, mark::float8 as mark',
      [found.id, found.mark],
    )
    if (rows[0]) await this.#write(rows[0])
  }

  /** Reports whether the database is at least as new as the folder; false after an older dump was restored. */
  async isDatabaseCurrent(): Promise<boolean> {
    // Read the folder's mark first, because it is always written after the database's mark.
    const found = await this.#read()
    const { rows } = await this.#pool.query<Installation>('select id, mark::float8 as mark from installation')
    return found !== undefined && found.id === rows[0]!.id && found.mark <= rows[0]!.mark
  }

  /**
   * Reports whether a folder that predates this check either has no files or has at least one that the
   * database refers to.
   */
  async #knowsFilesOf(files: Files): Promise<boolean> {
    const { stored } = await files.olderThan(new Date(8.64e15))
    return stored.length === 0 || (await findKnownFiles(this.#pool, stored)).size > 0
  }

  async #read(): Promise<Installation | undefined> {
    const path = join(this.#folder, fileName)
    const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    })
    if (text === undefined) return undefined
    try {
      return Installation.parse(JSON.parse(text))
    } catch {
      throw new SettingsError(`${path} is damaged. Delete it if the database and the files belong together.`)
    }
  }

  async #write(installation: Installation): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    const temporary = join(this.#folder, `.${fileName}.${randomBytes(6).toString('hex')}`)
    try {
      const file = await open(temporary, 'wx', 0o600)
      try {
        await file.writeFile(`${JSON.stringify(installation)}\n`)
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(temporary, join(this.#folder, fileName))
    } catch (error) {
      await rm(temporary, { force: true })
      throw asFullDisk(error)
    }
  }
}

const knownFilesQuery = `select there.name from unnest($1::text[]) as there (name)
where exists (select from files where stored_name = there.name)
  or exists (select from files where small_name = there.name)
  or exists (select from files where wide_name = there.name)
  or exists (select from files where original_name = there.name)
  or exists (select from staff where picture = there.name)`

/** Returns the stored names that a row refers to. */
export async function findKnownFiles(pool: pg.Pool, names: readonly string[]): Promise<Set<string>> {
  const { rows } = await pool.query<{ name: string }>(knownFilesQuery, [names])
  return new Set(rows.map(({ name }) => name))
}
