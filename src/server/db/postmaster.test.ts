import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { hasLivingStarter, starterSettingOf } from '#server/db/postmaster.ts'

function start(command: string, ...args: string[]) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

test('a killed starter is dead even before its parent has collected it', async () => {
  // The shell is replaced by a program that never waits for its child.
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
  // It is a zombie: its process id is still in use.
  expect(() => process.kill(starter, 0)).not.toThrow()
})
