// Finds Chromium for the end-to-end tests, or installs it (README.md, "Chromium").
import { spawnSync, type SpawnSyncOptions } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium } from '@playwright/test'

// The headless shell draws no windows, so the end-to-end tests take only three quarters as long.
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
]
const macPlaces = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** Flags that let Chromium run in a container and keep it from phoning home. */
export const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--in-process-gpu',
]

/** Returns the path to Chromium on this machine; undefined if it is not installed. */
export function findChromium(): string | undefined {
  const chosen = process.env.CHROMIUM_PATH
  if (chosen) {
    if (!runs(chosen))
      throw new Error(
        `CHROMIUM_PATH=${chosen} cannot be used; accepted: the path of a Chromium or Chrome that starts.`,
      )
    return chosen
  }
  const folders = (process.env.PATH ?? '').split(delimiter)
  const places = names.flatMap((name) => folders.map((folder) => join(folder, name)))
  return [...places, ...macPlaces, playwrightsOwn()].find((place) => existsSync(place) && runs(place))
}

/** Returns the path to Chromium, installing it if necessary. */
export function getChromium(): string {
  return findChromium() ?? install()
}

// Check that it starts, because Ubuntu's chromium-browser may only print how to install Chromium.
const runs = (path: string) =>
  spawnSync(path, ['--version'], { stdio: 'ignore', timeout: 20_000 }).status === 0

const playwrightsOwn = () => chromium.executablePath()

function install(): string {
  if (isDebian() && process.getuid?.() === 0) {
    const options: SpawnSyncOptions = {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }
    spawnSync('apt-get', ['update', '-q'], options)
    // Not every Debian release has the headless shell.
    for (const name of ['chromium-headless-shell', 'chromium']) {
      console.error(`Installing Chromium (apt-get install ${name}).`)
      // Without a font, all text is rendered as boxes.
      spawnSync(
        'apt-get',
        ['install', '-q', '-y', '--no-install-recommends', name, 'fonts-liberation'],
        options,
      )
      const path = findChromium()
      if (path) return path
    }
  }
  console.error('Installing Chromium (npx playwright install chromium).')
  spawnSync('npx', ['playwright', 'install', 'chromium'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    cwd: join(import.meta.dirname, '..'),
  })
  const path = findChromium()
  if (path) return path
  throw new Error(
    'There is no Chromium and none could be installed. Install chromium or google-chrome, or set CHROMIUM_PATH; npm run check needs none.',
  )
}

function isDebian(): boolean {
  return existsSync('/etc/os-release') && /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'))
}
