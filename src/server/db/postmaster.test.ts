import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { forgetDeadPostmaster, hasLivingStarter, starterSettingOf } from '#server/db/postmaster.ts'

function start(command: string, ...args: string[]) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

test('a killed starter is dead even before its parent has collected it', async () => {
  // The shell replaces itself with a program that never waits for its child.
  const parent = start('sh', '-c', 'sleep 100 & echo $!; exec sleep 100')
  const [line] = (await once(parent.stdout, 'data')) as [Buffer]
  const starter = Number(line)
  const postmaster = start(
    process.execPath,
    '-e',
    'console.log(); setTimeout(() => {}, 100_000)',
    starterSettingOf(starter).join('='),
  )
  await once(postmaster.stdout, 'data')
  expect(hasLivingStarter(postmaster.pid!)).toBe(true)
  process.kill(starter, 'SIGKILL')
  await expect.poll(() => hasLivingStarter(postmaster.pid!)).toBe(false)
  // The starter is now a zombie: its process ID is still in use.
  expect(() => process.kill(starter, 0)).not.toThrow()
})

test('lock files that a power cut left empty are removed; a starting PostgreSQL keeps its own', () => {
  const folder = mkdtempSync(join(tmpdir(), 'postmaster-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [lock, socketLock] = [join(folder, 'postmaster.pid'), join(folder, '.s.PGSQL.5432.lock')]
  const minuteAgo = new Date(Date.now() - 60_000)
  writeFileSync(lock, '')
  writeFileSync(socketLock, '')
  utimesSync(lock, minuteAgo, minuteAgo)
  forgetDeadPostmaster(folder, folder)
  expect([existsSync(lock), existsSync(socketLock)]).toEqual([false, true])
  utimesSync(socketLock, minuteAgo, minuteAgo)
  forgetDeadPostmaster(folder, folder)
  expect(existsSync(socketLock)).toBe(false)
})
