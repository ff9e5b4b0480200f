import { expect, test } from 'vitest'
import { isTrialRunning, trialEnd, trialEndInWords, trialInWords } from '#features/crm/organizations/rules.ts'

const today = '2026-03-16'

test.each([
  [2, '2026-03-15', 'ended', false],
  [2, '2026-03-16', 'ends today', true],
  [2, '2026-03-17', 'ends tomorrow', true],
  [2, '2026-03-30', '14 days left', true],
  [2, null, 'no end date', false],
  // Only organizations with the trial status are on trial, whatever their end date.
  [1, '2026-03-30', undefined, false],
] as const)('status %s with the end %s is shown as %s', (status, trial_end_date, words, runs) => {
  expect([
    trialInWords({ status, trial_end_date }, today),
    isTrialRunning({ status, trial_end_date }, today),
  ]).toEqual([words, runs])
})

test.each([
  [2, '2026-03-30', 'Trial ends 30 Mar 2026 (14 days left)'],
  [2, '2026-03-15', 'Trial ended 15 Mar 2026'],
  [1, '2026-03-15', 'Trial ended 15 Mar 2026'],
  [4, '2026-03-30', 'Trial was until 30 Mar 2026'],
  [1, null, undefined],
] as const)(
  'a trial end is announced only while the organization is on trial: %s, %s',
  (status, end, words) => {
    expect(trialEndInWords({ status, trial_end_date: end }, today)).toBe(words)
  },
)

test('a trial of 14 days ends 14 days later, also over a clock change', () => {
  expect([trialEnd(today, 14), trialEnd('2026-03-28', 1)]).toEqual(['2026-03-30', '2026-03-29'])
})
