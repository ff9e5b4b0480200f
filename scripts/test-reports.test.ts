import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { countVitest } from './test-reports.ts'

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
  const report = { numPassedTests: 2, numFailedTests: 1, testResults: [{ name: 'a', assertionResults }] }
  await writeFile(join(folder, 'report.json'), JSON.stringify(report))
  expect(countVitest(join(folder, 'report.json'))).toMatchObject({
    passed: 2,
    failed: 1,
    failures: ['broken: Error: no field'],
    retried: ['late: Error: no button'],
  })
})
