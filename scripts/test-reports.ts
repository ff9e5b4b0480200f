// Reads the reports of the two test runners.
import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

export interface Counts {
  passed: number
  failed: number
  /** Names of the failed tests, each with the first line of its message. */
  failures: string[]
  /** Names of the tests that passed only when they were retried, in a browser with the page that failed. */
  retried: string[]
  /** The ten slowest tests, slowest first. */
  slowest: Timed[]
  /** The ten slowest files, slowest first, if the runner measures them. */
  slowestFiles: Timed[]
}

interface Timed {
  name: string
  seconds: number
}

/** The parts of the two reports that are used. */
interface VitestReport {
  numPassedTests: number
  numFailedTests: number
  testResults: {
    name: string
    startTime?: number
    endTime?: number
    assertionResults: { fullName: string; status: string; duration?: number; failureMessages: string[] }[]
  }[]
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
  tests: {
    status: 'expected' | 'unexpected' | 'flaky' | 'skipped'
    results: {
      duration: number
      error?: { message?: string; location?: { line: number } }
      attachments?: { name: string; path?: string }[]
    }[]
  }[]
}

/**
 * Counts the tests in a JSON report of Vitest; a test that passed at a later attempt has passed, and has the
 * errors of the earlier ones.
 */
export function countVitest(file: string): Counts {
  const { numPassedTests = 0, numFailedTests = 0, testResults = [] } = read<VitestReport>(file)
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
  const named = (wanted: string) =>
    tests
      .filter(({ status, failureMessages }) => status === wanted && failureMessages.length > 0)
      .map(({ fullName, failureMessages }) => withMessage(fullName, failureMessages[0]))
  return {
    passed: numPassedTests,
    failed: numFailedTests,
    failures: named('failed'),
    retried: named('passed'),
    slowest: slowestOf(tests.map(({ fullName, duration = 0 }) => ({ name: fullName, ms: duration }))),
    slowestFiles: slowestOf(
      testResults.map(({ name, startTime = 0, endTime = 0 }) => ({
        name: relative(process.cwd(), name),
        ms: endTime - startTime,
      })),
    ),
  }
}

/** Counts the tests in a JSON report of Playwright; a test that passed at a later attempt has passed. */
export function countPlaywright(file: string): Counts {
  const { stats, suites = [] } = read<PlaywrightReport>(file)
  const tests = suites.flatMap(specsOf).flatMap(({ file: from, title, tests: runs }) =>
    runs.map(({ status, results }) => ({
      name: `${from}: ${title}`,
      status,
      message: withLine(results.find(({ error }) => error)?.error),
      page: pageOf(results.find(({ error }) => error)?.attachments),
      laterErrors: results.flatMap(({ error }) => error?.message ?? []).slice(1),
      ms: results.at(-1)?.duration ?? 0,
    })),
  )
  return {
    passed: (stats?.expected ?? 0) + (stats?.flaky ?? 0),
    failed: stats?.unexpected ?? 0,
    failures: tests
      .filter(({ status }) => status === 'unexpected')
      .map(({ name, message }) => withMessage(name, message)),
    retried: tests
      .filter(({ status }) => status === 'flaky')
      .map(({ name, message, page, laterErrors }) =>
        [withMessage(name, message), page, ...laterErrors].filter((part) => part !== '').join('\n'),
      )
      .map(indented),
    slowest: slowestOf(tests),
    slowestFiles: [],
  }
}

function specsOf(suite: Suite): Spec[] {
  return [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specsOf)]
}

function slowestOf(tests: { name: string; ms: number }[]): Timed[] {
  return tests
    .toSorted((one, other) => other.ms - one.ms)
    .slice(0, 10)
    .map(({ name, ms }) => ({ name, seconds: ms / 1000 }))
}

/** Returns the first line of an error, with the line of the test where it happened. */
const withLine = (error: { message?: string; location?: { line: number } } | undefined) =>
  error?.message && `${error.message.split('\n')[0]}${error.location ? ` (line ${error.location.line})` : ''}`

/** Returns what the page showed when a test failed. */
function pageOf(attachments: { name: string; path?: string }[] = []): string {
  const path = attachments.find(({ name }) => name === 'error-context')?.path
  if (path === undefined || !existsSync(path)) return ''
  const text = readFileSync(path, 'utf8')
  return text.slice(Math.max(0, text.indexOf('# Error details'))).trimEnd()
}

/** Indents all lines but the first, without colors. */
const indented = (text: string) => stripVTControlCharacters(text).replaceAll('\n', '\n      ')

function withMessage(name: string, message = ''): string {
  return `${name}: ${stripVTControlCharacters(message).split('\n')[0]}`
}

/** Returns an empty object if the runner ended before it wrote its report. */
function read<T extends object>(file: string): Partial<T> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T
  } catch {
    return {}
  }
}
