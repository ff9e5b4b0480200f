// Installs missing packages before every command; with --without-dev, development packages can be missing, as in a
// release that runs with production packages alone. Plain JavaScript without packages, because on a fresh clone it runs under any Node (20 or newer).
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const modules = join(root, 'node_modules')
const stamp = join(modules, '.installed')
const lock = readFileSync(join(root, 'package-lock.json'), 'utf8')
const needsDev = !process.argv.includes('--without-dev')
const wanted = `${createHash('sha256').update(lock).digest('hex')} ${process.platform}-${process.arch}`

if (!isInstalled()) {
  install()
  if (!existsSync(join(modules, '.bin', 'node')))
    stop('npm ci did not install Node 24; are install scripts switched off (npm config get ignore-scripts)?')
  writeFileSync(stamp, wanted)
}

function isInstalled() {
  if (!existsSync(join(modules, '.bin', 'node'))) return false
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return true
  if (!matchesLockfile(needsDev)) return false
  // Commands that need development packages trust the stamp.
  if (needsDev) writeFileSync(stamp, wanted)
  return true
}

/** Returns whether `npm install` or `npm ci` was run by hand: npm writes its list of installed packages last. */
function matchesLockfile(withDev) {
  const written = join(modules, '.package-lock.json')
  if (!existsSync(written)) return false
  const present = JSON.parse(readFileSync(written, 'utf8')).packages
  return Object.entries(JSON.parse(lock).packages).every(
    ([path, { version, optional, peer, dev, devOptional }]) => {
      if (path === '') return true
      const one = present[path]
      return one ? one.version === version : Boolean(optional || peer || ((dev || devOptional) && !withDev))
    },
  )
}

function install() {
  console.log('Installing packages (npm ci); this takes a minute or two the first time.')
  // npm removes node_modules first, so it must not run on the Node inside it.
  const path = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.endsWith(join('node_modules', '.bin')))
    .join(delimiter)
  const { status, error } = spawnSync(
    'npm',
    ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: root,
      env: { ...process.env, PATH: path },
      stdio: 'inherit',
    },
  )
  if (error) stop(`npm cannot be started: ${error.message}`)
  if (status !== 0) stop('npm ci failed; see above.')
}

function stop(message) {
  console.error(message)
  process.exit(1)
}
