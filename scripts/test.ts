// The gate: everything that must hold before a change lands. --without-browser leaves the end-to-end tests out.
// One line for each step, the names and then the words of what failed, and at the end `N passed, N failed`.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

const root = join(import.meta.dirname, '..')
const reports = mkdtempSync(join(tmpdir(), 'admin-panel-reports-'))
const withBrowser = !process.argv.includes('--without-browser')

interface Counts {
  passed: number
  failed: number
  /** Of the failed tests and of those that passed at the second attempt only, each with the first line of what it says. */
  names: string[]
}
interface Step {
  name: string
  command: string
  words: string[]
  env?: Record<string, string>
  /** For steps that are tests; every other step counts as one. */
  count?: () => Counts
}

/** What is read of the two reports. */
interface VitestReport {
  numPassedTests: number
  numFailedTests: number
  testResults: { assertionResults: { fullName: string; status: string; failureMessages: string[] }[] }[]
}
interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number }
  suites: Suite[]
}
interface Suite {
  specs?: Spec[]
  suites?: Suite[]
}
interface Spec {
  title: string
  file: string
  tests: { status: 'expected' | 'unexpected' | 'flaky' | 'skipped'; results: { error?: { message?: string } }[] }[]
}

const bin = (name: string) => join(root, 'node_modules', '.bin', name)
const script = (...words: string[]) => ({ command: process.execPath, words })
const tool = (name: string, ...words: string[]) => ({ command: bin(name), words })
const report = (name: string) => join(reports, `${name}.json`)

const steps: Step[] = [
  {
    name: 'unit and HTTP tests',
    ...tool('vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report('vitest')}`),
    count: () => countVitest(report('vitest')),
  },
  { name: 'web client builds', ...script('scripts/build-web.ts') },
  { name: 'types of the server', ...tool('tsc', '-p', 'tsconfig.server.json') },
  { name: 'types of the web client', ...tool('tsc', '-p', 'tsconfig.web.json') },
  { name: 'types of the journeys and benches', ...tool('tsc', '-p', 'tsconfig.e2e.json') },
  { name: 'lint', ...tool('oxlint', '--type-aware', '--deny-warnings') },
  { name: 'format', ...tool('oxfmt', '--check') },
  { name: 'walls', ...script('scripts/walls.ts') },
  { name: 'dead code', ...tool('knip', '--no-progress') },
  { name: 'tables fit the migrations', ...script('scripts/generate-tables.ts', '--check') },
  { name: 'openapi.json fits the contracts', ...script('src/app/commands/openapi.ts', '--check') },
]
const browserStep: Step = {
  name: 'end-to-end tests',
  ...tool('playwright', 'test', '--reporter=list,json'),
  env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report('playwright') },
  count: () => countPlaywright(report('playwright')),
}

const running = new Set<ChildProcess>()
const total = { passed: 0, failed: 0 }
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    for (const child of running) child.kill(signal)
    process.exit(1)
  })
}
process.on('exit', () => rmSync(reports, { recursive: true, force: true }))

// Two cores: the tests beside everything else, and then the browser alone, so that nothing makes it wait.
const todo = [...steps]
await Promise.all([runNext(), runNext()])
if (withBrowser) await run(browserStep)
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed > 0 ? 1 : 0

async function runNext(): Promise<void> {
  for (let step = todo.shift(); step; step = todo.shift()) await run(step)
}

async function run(step: Step): Promise<void> {
  const startedAt = performance.now()
  const { code, output } = await start(step)
  const { passed, failed, names } = step.count ? withExitCode(step.count(), code) : { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, names: [] }
  total.passed += passed
  total.failed += failed
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1).padStart(6)
  console.log(`${failed === 0 ? 'ok    ' : 'FAILED'} ${seconds} s  ${step.name}${step.count ? ` (${passed} passed, ${failed} failed)` : ''}`)
  // First, for who sees only the beginning of a long log.
  for (const name of names) console.log(`    ${name}`)
  if (failed > 0) console.log(wordsOf(output))
}

/** What a failed step says, without its passed tests: those bury the one line that is looked for. */
function wordsOf(output: string): string {
  const lines = stripVTControlCharacters(output).split('\n')
  return lines
    .filter((line) => line.trim() !== '' && !/^\s*✓/.test(line))
    .map((line) => `    ${line}`)
    .join('\n')
}

function start({ command, words, env }: Step): Promise<{ code: number; output: string }> {
  return new Promise((done) => {
    const child = spawn(command, words, { cwd: root, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
    running.add(child)
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
    child.once('error', (error) => (output += error.message))
    child.once('close', (code) => {
      running.delete(child)
      done({ code: code ?? 1, output })
    })
  })
}

/** A run that fails without a failed test (a file that does not load, a server that does not stop) is a failure too; so is one without tests. */
function withExitCode({ passed, failed, names }: Counts, code: number): Counts {
  const isBroken = failed === 0 && (code !== 0 || passed === 0)
  return { passed, failed: isBroken ? 1 : failed, names }
}

function countVitest(file: string): Counts {
  const { numPassedTests = 0, numFailedTests = 0, testResults = [] } = read<VitestReport>(file)
  const failed = testResults.flatMap(({ assertionResults }) => assertionResults).filter(({ status }) => status === 'failed')
  return { passed: numPassedTests, failed: numFailedTests, names: failed.map((test) => named('failed', test.fullName, test.failureMessages[0])) }
}

function countPlaywright(file: string): Counts {
  const { stats: { expected = 0, unexpected = 0, flaky = 0 } = {}, suites = [] } = read<PlaywrightReport>(file)
  const names = suites
    .flatMap(specsOf)
    .flatMap(({ file: from, title, tests }) =>
      tests
        .filter(({ status }) => status === 'unexpected' || status === 'flaky')
        .map(({ status, results }) =>
          named(status === 'flaky' ? 'at the second attempt only' : 'failed', `${from}: ${title}`, results.find(({ error }) => error)?.error?.message),
        ),
    )
  return { passed: expected + flaky, failed: unexpected, names }
}

function specsOf(suite: Suite): Spec[] {
  return [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specsOf)]
}

function named(how: string, name: string, message = ''): string {
  return `${how}: ${name}: ${stripVTControlCharacters(message).split('\n')[0]}`
}

function read<T extends object>(file: string): Partial<T> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T
  } catch {
    return {}
  }
}
