import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>
}

/** Creates a panel as `npm ci` leaves it; returns a function that runs a command's preparation, and says whether it called npm. */
function panelWith(packages: Record<string, object>) {
  const folder = mkdtempSync(join(tmpdir(), 'admin-panel-prepare-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const write = (path: string, text: string) => {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const locked = {
    '': {},
    'node_modules/one': { version: '1.0.0' },
    'node_modules/two': { version: '2.0.0', dev: true },
  }
  cpSync(join(root, 'scripts/prepare.mjs'), join(folder, 'scripts/prepare.mjs'))
  write('package-lock.json', JSON.stringify({ packages: locked }))
  write('node_modules/.package-lock.json', JSON.stringify({ packages }))
  write('node_modules/.bin/node', '')
  write('programs/npm', '#!/bin/sh\necho called npm\nexit 1\n')
  chmodSync(join(folder, 'programs/npm'), 0o755)
  return (command: string) => {
    const [, ...words] = scripts[`pre${command}`]!.split(' ')
    const { stdout } = spawnSync(process.execPath, words, {
      cwd: folder,
      env: { PATH: `${join(folder, 'programs')}:${process.env['PATH']}` },
      encoding: 'utf8',
    })
    return stdout.includes('called npm')
  }
}

const one = { 'node_modules/one': { version: '1.0.0' } }
const operating = ['backup', 'restore', 'rotate', 'admin', 'config', 'migrate', 'seed', 'import']

test.each(operating)('npm run %s installs nothing in a release with production packages alone', (command) => {
  const callsNpm = panelWith(one)
  expect(callsNpm(command)).toBe(false)
  // What needs development packages installs them, also afterward.
  expect(callsNpm('build')).toBe(true)
})

test('npm run backup installs production packages that are missing or old', () => {
  expect(panelWith({})('backup')).toBe(true)
  expect(panelWith({ 'node_modules/one': { version: '0.9.0' } })('backup')).toBe(true)
  const callsNpm = panelWith({ ...one, 'node_modules/two': { version: '2.0.0' } })
  expect([callsNpm('backup'), callsNpm('build')]).toEqual([false, false])
})
