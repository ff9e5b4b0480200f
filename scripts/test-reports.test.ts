import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { countPlaywright, countVitest } from './test-reports.ts'

test('a test that passed at a later attempt counts as passed, and is named with its first error', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'reports-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const result = (fullName: string, status: string, ...failureMessages: string[]) => ({
    fullName,
    status,
    duration: 5,
    failureMessages,
  })
  const assertionResults = [
    result('sound', 'passed'),
    result('late', 'passed', 'Error: no button\n  at line 1'),
    result('broken', 'failed', 'Error: no field', 'Error: no form'),
  ]
  const report = {
    numPassedTests: 2,
    numFailedTests: 1,
    testResults: [{ name: join(process.cwd(), 'a'), startTime: 1000, endTime: 4500, assertionResults }],
  }
  await writeFile(join(folder, 'report.json'), JSON.stringify(report))
  expect(countVitest(join(folder, 'report.json'))).toMatchObject({
    passed: 2,
    failed: 1,
    failures: ['broken: Error: no field'],
    retried: ['late: Error: no button'],
    slowestFiles: [{ name: 'a', seconds: 3.5 }],
  })
})

test('a journey that passed at a later attempt comes with the page that its first attempt saw, and all errors', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'reports-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'error-context.md'), '- heading "Leads"\n- alert: Failed\n')
  const error = { message: 'Error: no button\nat line 1', location: { line: 12 } }
  const attachments = [{ name: 'error-context', path: join(folder, 'error-context.md') }]
  const later = { message: 'Error: said a warning' }
  const results = [{ duration: 5, error, attachments }, { duration: 5, error: later }, { duration: 5 }]
  const specs = [{ title: 'merges', file: 'leads.e2e.ts', tests: [{ status: 'flaky', results }] }]
  const report = { stats: { expected: 3, unexpected: 0, flaky: 1 }, suites: [{ specs }] }
  await writeFile(join(folder, 'report.json'), JSON.stringify(report))
  expect(countPlaywright(join(folder, 'report.json'))).toMatchObject({
    passed: 4,
    failed: 0,
    retried: [
      [
        'leads.e2e.ts: merges: Error: no button (line 12)',
        '- heading "Leads"',
        '- alert: Failed',
        'Error: said a warning',
      ].join('\n      '),
    ],
  })
})
