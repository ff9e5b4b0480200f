// The quality gate: everything that must pass before a change is merged. --without-browser skips the
// end-to-end tests. Steps run one after the other, the fastest to fail first, so that no test competes with
// another step for the processor. Prints one line per step with its minutes, then its slowest tests and, if
// the step failed, the names of its failed tests and its output, and finally `N passed, N failed`.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { type Counts, countPlaywright, countVitest } from './test-reports.ts'

const root = join(import.meta.dirname, '..')
const reports = mkdtempSync(join(tmpdir(), 'admin-panel-reports-'))
const withBrowser = !process.argv.includes('--without-browser')

interface Step {
  name: string
  command: string
  words: string[]
  env?: Record<string, string>
  /** Counts the tests in a step; if omitted, the step counts as one test. */
  count?: () => Counts
}

const bin = (name: string) => join(root, 'node_modules', '.bin', name)
const script = (...words: string[]) => ({ command: process.execPath, words })
const tool = (name: string, ...words: string[]) => ({ command: bin(name), words })
const report = (name: string) => join(reports, `${name}.json`)

const steps: Step[] = [
  { name: 'format', ...tool('oxfmt', '--check') },
  { name: 'server types', ...tool('tsc', '-p', 'tsconfig.server.json') },
  { name: 'web client types', ...tool('tsc', '-p', 'tsconfig.web.json') },
  { name: 'end-to-end test and benchmark types', ...tool('tsc', '-p', 'tsconfig.e2e.json') },
  { name: 'lint', ...tool('oxlint', '--type-aware', '--deny-warnings') },
  { name: 'module boundaries', ...script('scripts/walls.ts') },
  { name: 'dead code', ...tool('knip', '--no-progress') },
  { name: 'tables match the migrations', ...script('scripts/generate-tables.ts', '--check') },
  { name: 'the frame of emails is compiled', ...script('scripts/mail-frame.ts', '--check') },
  {
    name: 'the digest of the API matches the contracts',
    ...script('src/app/commands/openapi.ts', '--check'),
  },
  { name: 'web client build', ...script('scripts/build-web.ts') },
  { name: 'pages stay within their sizes', ...script('scripts/page-sizes.ts') },
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

for (const step of withBrowser ? [...steps, browserStep] : steps) await run(step)
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed > 0 ? 1 : 0

async function run(step: Step): Promise<void> {
  const startedAt = performance.now()
  const { code, output } = await start(step)
  const counts = countsOf(step, code)
  total.passed += counts.passed
  total.failed += counts.failed
  const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1).padStart(5)
  console.log(
    `${counts.failed === 0 ? 'ok    ' : 'FAILED'} ${minutes} min  ${step.name}${step.count ? ` (${written(counts)})` : ''}`,
  )
  // Print the names first, for readers who see only the beginning of a long log.
  for (const name of counts.failures) console.log(`    failed: ${name}`)
  for (const name of counts.retried) console.log(`    passed at a later attempt: ${name}`)
  for (const [title, timed] of [
    ['slowest', counts.slowest],
    ['slowest files', counts.slowestFiles],
  ] as const) {
    if (timed.length > 0) console.log(`    ${title}:`)
    for (const { name, seconds } of timed) console.log(`    ${seconds.toFixed(1).padStart(6)} s  ${name}`)
  }
  if (counts.failed > 0) console.log(withoutPassed(output))
}

function written({ passed, failed, retried }: Counts): string {
  const later = retried.length > 0 ? `, ${retried.length} of them at a later attempt` : ''
  return `${passed} passed${later}, ${failed} failed`
}

/**
 * Counts a run as failed if it fails without a failed test (a file that doesn't load, a server that doesn't
 * stop) or has no passed tests.
 */
function countsOf(step: Step, code: number): Counts {
  if (!step.count)
    return {
      passed: code === 0 ? 1 : 0,
      failed: code === 0 ? 0 : 1,
      failures: [],
      retried: [],
      slowest: [],
      slowestFiles: [],
    }
  const counts = step.count()
  const isBroken = counts.failed === 0 && (code !== 0 || counts.passed === 0)
  return isBroken ? { ...counts, failed: 1 } : counts
}

/** Returns a failed step's output without the passed tests, which would bury the lines that matter. */
function withoutPassed(output: string): string {
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
