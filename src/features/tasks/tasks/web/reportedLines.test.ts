import { expect, test } from 'vitest'
import { HoursBody } from '#features/tasks/tasks/reports.contract.ts'
import { reportedLines } from '#features/tasks/tasks/web/reportedLines.ts'

const untouched = { title: 'Fix the scanner', hours: '' }
const reported = (...lines: { title: string; hours: string }[]) => reportedLines(lines, untouched.title)

test('lines that were not filled in are left out', () => {
  expect(reported(untouched, { title: ' ', hours: '' }, { title: 'Tests', hours: '1.5' })).toEqual([
    { title: 'Tests', hours: 1.5 },
  ])
})

test('work without hours, and hours without work, are refused instead of dropped', () => {
  for (const line of [
    { title: 'Fixed login', hours: '' },
    { title: '', hours: '2' },
  ])
    expect(HoursBody.safeParse({ task_id: 1, task_details: reported(line) }).success).toBe(false)
})
