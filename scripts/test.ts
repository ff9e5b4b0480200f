// The quality gate: everything that must pass before a change is merged. --without-browser skips the
// end-to-end tests. Prints one line per step, followed, if the step failed, by the names of its failed tests
// and its output, and finally `N passed, N failed`.
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
  /** Names of the failed tests, each with the first line of its message. */
  names: string[]
}
interface Step {
  name: string
  command: string
  words: string[]
  env?: Record<string, string>
  /** Counts the tests in a step; if omitted, the step counts as one test. */
  count?: () => Counts
  /** Argument that reruns only the failed tests. */
  retryArgument?: string
}

/** The parts of the two reports that are used. */
interface VitestReport {
  numPassedTests: number
  numFailedTests: number
  testResults: { assertionResults: { fullName: string; status: string; failureMessages: string[] }[] }[]
}
interface PlaywrightReport {
  stats: { expected: number; unexpected: number }
  suites: Suite[]
}
interface Suite {
  specs?: Spec[]
  suites?: Suite[]
}
interface Spec {
  title: string
  file: string
  tests: { status: 'expected' | 'unexpected' | 'skipped'; results: { error?: { message?: string } }[] }[]
}

const bin = (name: string) => join(root, 'node_modules', '.bin', name)
const script = (...words: string[]) => ({ command: process.execPath, words })
const tool = (name: string, ...words: string[]) => ({ command: bin(name), words })
const report = (name: string) => join(reports, `${name}.json`)

const steps: Step[] = [
  {
    name: 'unit and HTTP tests',
    ...tool(
      'vitest',
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report('vitest')}`,
    ),
    count: () => countVitest(report('vitest')),
  },
  { name: 'web client build', ...script('scripts/build-web.ts') },
  { name: 'server types', ...tool('tsc', '-p', 'tsconfig.server.json') },
  { name: 'web client types', ...tool('tsc', '-p', 'tsconfig.web.json') },
  { name: 'end-to-end test and benchmark types', ...tool('tsc', '-p', 'tsconfig.e2e.json') },
  { name: 'lint', ...tool('oxlint', '--type-aware', '--deny-warnings') },
  { name: 'format', ...tool('oxfmt', '--check') },
  { name: 'module boundaries', ...script('scripts/walls.ts') },
  { name: 'dead code', ...tool('knip', '--no-progress') },
  { name: 'tables match the migrations', ...script('scripts/generate-tables.ts', '--check') },
  { name: 'the frame of emails is compiled', ...script('scripts/mail-frame.ts', '--check') },
  { name: 'openapi.json matches the contracts', ...script('src/app/commands/openapi.ts', '--check') },
]
const browserStep: Step = {
  name: 'end-to-end tests',
  ...tool('playwright', 'test', '--reporter=list,json'),
  env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report('playwright') },
  count: () => countPlaywright(report('playwright')),
  // On a busy machine, about one end-to-end test in several hundred times out. The second attempt is a
  // separate run with a new database, so nothing is left over from the first. Features that must never lose
  // data (process kills, chat, files) are tested over HTTP and get no second attempt.
  retryArgument: '--last-failed',
}
/** If more tests fail than this, the failures are not flaky. */
const maxFlakyFailures = 5

const running = new Set<ChildProcess>()
const total = { passed: 0, failed: 0 }
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    for (const child of running) child.kill(signal)
    process.exit(1)
  })
}
process.on('exit', () => rmSync(reports, { recursive: true, force: true }))

// For two cores: run two steps at a time, and then the browser tests alone, so that nothing slows them down.
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
  const first = await attempt(step)
  const isLate = first.names.length > 0 && first.names.length <= maxFlakyFailures
  const second =
    isLate && step.retryArgument
      ? await attempt({ ...step, words: [...step.words, step.retryArgument] })
      : undefined
  const passed = first.passed + (second?.passed ?? 0)
  // Tests that do not run in the second attempt count as failed, and so does a second attempt that is cut
  // short.
  const failed = second ? Math.max(first.failed - second.passed, second.failed) : first.failed
  total.passed += passed
  total.failed += failed
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1).padStart(6)
  console.log(
    `${failed === 0 ? 'ok    ' : 'FAILED'} ${seconds} s  ${step.name}${step.count ? ` (${passed} passed, ${failed} failed)` : ''}`,
  )
  // Print the names first, for readers who see only the beginning of a long log.
  for (const name of first.names) console.log(`    failed: ${name}`)
  for (const name of second?.names ?? []) console.log(`    failed again: ${name}`)
  if (failed > 0) console.log(wordsOf((second ?? first).output))
}

async function attempt(step: Step): Promise<Counts & { output: string }> {
  const { code, output } = await start(step)
  const isOk = code === 0
  const counts = step.count
    ? withExitCode(step.count(), code)
    : { passed: isOk ? 1 : 0, failed: isOk ? 0 : 1, names: [] }
  return { ...counts, output }
}

/** Returns a failed step's output without the passed tests, which would bury the lines that matter. */
function wordsOf(output: string): string {
  const lines = stripVTControlCharacters(output).split('\n')
  return lines
    .filter((line) => line.trim() !== '' && !/^\s*✓/.test(line))
    .map((line) => `    ${line}`)
    .join('\n')
}

function start({ command, words, env }: Step): Promise<{ code: number; output: string }> {
  return new Promise((done) => {
    const child = spawn(command, words, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    running.add(child)
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (output += text))
    child.once('error', (error) => (output += error.message))
    child.once('close', (code) => {
      running.delete(child)
      done({ code: code ?? 1, output })
    })
  })
}

/**
 * Counts a run as failed if it fails without a failed test (a file that doesn't load, a server that doesn't
 * stop) or has no passed tests.
 */
function withExitCode({ passed, failed, names }: Counts, code: number): Counts {
  const isBroken = failed === 0 && (code !== 0 || passed === 0)
  return { passed, failed: isBroken ? 1 : failed, names }
}

function countVitest(file: string): Counts {
  const { numPassedTests = 0, numFailedTests = 0, testResults = [] } = read<VitestReport>(file)
  const failed = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'failed')
  return {
    passed: numPassedTests,
    failed: numFailedTests,
    names: failed.map((test) => named(test.fullName, test.failureMessages[0])),
  }
}

function countPlaywright(file: string): Counts {
  const { stats: { expected = 0, unexpected = 0 } = {}, suites = [] } = read<PlaywrightReport>(file)
  const names = suites
    .flatMap(specsOf)
    .flatMap(({ file: from, title, tests }) =>
      tests
        .filter(({ status }) => status === 'unexpected')
        .map(({ results }) => named(`${from}: ${title}`, results.find(({ error }) => error)?.error?.message)),
    )
  return { passed: expected, failed: unexpected, names }
}

function specsOf(suite: Suite): Spec[] {
  return [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specsOf)]
}

function named(name: string, message = ''): string {
  return `${name}: ${stripVTControlCharacters(message).split('\n')[0]}`
}

/**
 * Reads and deletes a report, so that it is not counted for a second attempt that ends before writing a
 * report.
 */
function read<T extends object>(file: string): Partial<T> {
  try {
    const text = readFileSync(file, 'utf8')
    rmSync(file)
    return JSON.parse(text) as T
  } catch {
    return {}
  }
}
