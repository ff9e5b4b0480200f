import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'

test('with BACKUP_DIR, a process that starts makes a backup, and the newest are kept', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'panel-backups-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const nameOf = (day: string) => `admin-panel-202603${day}T100000Z.tar.gz`
  for (const day of ['10', '11', '12']) await writeFile(join(folder, nameOf(day)), '')
  const { app } = await startTestApp({ env: { BACKUP_DIR: folder, BACKUP_KEEP: '2' } })
  await app.jobs.start()
  const names = async () => (await readdir(folder)).toSorted()
  await expect.poll(names).toEqual([nameOf('12'), nameOf('16')])
})
