import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { sweepFiles } from '#server/jobs/sweep.ts'

const hour = 3_600_000
const day = 24 * hour

/** Creates a stored file that is two hours old and, if `known` is true, a row that refers to it. */
async function storeFile({ app, db }: TestApp, letter: string, known: boolean): Promise<string> {
  const name = `${letter.repeat(40)}.webp`
  const folder = join(app.settings.dataDir, 'files')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, name), letter)
  await utimes(join(folder, name), new Date(Date.now() - 2 * hour), new Date(Date.now() - 2 * hour))
  if (known) await db.updateTable('staff').set({ picture: name }).where('user_name', '=', 'crm').execute()
  return name
}

const stored = async ({ app }: TestApp) =>
  (await readdir(join(app.settings.dataDir, 'files'))).filter((name) => name.endsWith('.webp'))
const installationFile = ({ app }: TestApp) => join(app.settings.dataDir, 'installation.json')

async function sweepAt(started: TestApp, now = new Date()) {
  const warnings: object[] = []
  const warn = (details: unknown) => void warnings.push(details as object)
  await sweepFiles({ ...started.app, log: { warn } as never }, now)
  return warnings
}

test('a folder of files with an empty database is refused, and nothing is removed', async () => {
  const started = await startTestApp()
  const { app } = started
  const name = await storeFile(started, 'a', false)
  await expect(app.installation.pair(app.files)).rejects.toThrow(/None of the files.*DATABASE_URL/)
  await sweepAt(started)
  expect(await stored(started)).toEqual([name])
})

test('a folder that belongs to another database is refused; its own database accepts it', async () => {
  const started = await startTestApp()
  const { app, db } = started
  const name = await storeFile(started, 'a', true)
  await app.installation.pair(app.files)
  await app.installation.pair(app.files)
  await db.updateTable('installation').set({ id: crypto.randomUUID() }).execute()
  await expect(app.installation.pair(app.files)).rejects.toThrow(/belongs to another database.*delete/)
  await db.updateTable('staff').set({ picture: null }).execute()
  await sweepAt(started)
  expect(await stored(started)).toEqual([name])
  await rm(installationFile(started))
  await expect(app.installation.pair(app.files)).rejects.toThrow('None of the files')
})

test('a damaged installation file is refused with its path', async () => {
  const started = await startTestApp()
  await writeFile(installationFile(started), '{"id":')
  await expect(started.app.installation.pair(started.app.files)).rejects.toThrow(
    `${installationFile(started)} is damaged.`,
  )
})

test('an unknown file is in quarantine for 14 days and returns if a record refers to it', async () => {
  const started = await startTestApp()
  const { app, db } = started
  const [kept, gone, back] = [
    await storeFile(started, 'a', true),
    await storeFile(started, 'b', false),
    await storeFile(started, 'c', false),
  ]
  await app.installation.pair(app.files)
  const now = new Date()
  const moved = (await sweepAt(started, now)) as { moved: string[] }[]
  expect(moved.map((one) => one.moved.map((path) => path.slice(-45)))).toEqual([[gone, back]])
  expect(await stored(started)).toEqual([kept])
  expect(await readFile(moved[0]!.moved[0]!, 'utf8')).toBe('b')

  await db.updateTable('staff').set({ picture: back }).where('user_name', '=', 'editor').execute()
  await sweepAt(started, new Date(now.getTime() + 14 * day))
  expect(await stored(started)).toEqual([kept, back])
  expect(await readFile(moved[0]!.moved[0]!, 'utf8')).toBe('b')
  await sweepAt(started, new Date(now.getTime() + 15 * day))
  await expect(readFile(moved[0]!.moved[0]!)).rejects.toThrow('ENOENT')
  expect(await stored(started)).toEqual([kept, back])
})

test('a restored older database moves none of its newer files', async () => {
  const started = await startTestApp()
  const { app, db } = started
  await storeFile(started, 'a', true)
  await app.installation.pair(app.files)
  await app.installation.advance()
  const dump = await db.selectFrom('installation').select('mark').executeTakeFirstOrThrow()
  const newer = await storeFile(started, 'b', false)
  await app.installation.advance()
  await db.updateTable('installation').set(dump).execute()
  expect(await sweepAt(started)).toEqual([expect.stringContaining('older than the files')])
  // The files are kept for as long as the panel keeps running with the older database.
  await app.installation.advance()
  await app.installation.advance()
  await app.installation.pair(app.files)
  await sweepAt(started)
  expect(await stored(started)).toContain(newer)
})
