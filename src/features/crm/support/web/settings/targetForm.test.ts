import { expect, test } from 'vitest'
import { ServiceTargets } from '#features/crm/support/targets.contract.ts'
import {
  FormRules,
  hoursText,
  minutesOf,
  newTarget,
  toSend,
  valuesOf,
} from '#features/crm/support/web/settings/targetForm.ts'
import { errorsOf } from '#web/form/errors.ts'

test.each([
  ['4 h', 240],
  ['30 min', 30],
  ['1 h 30 min', 90],
  ['1.5h', 90],
  ['2 hours', 120],
  [' 45m ', 45],
  ['', undefined],
  ['4', undefined],
  ['soon', undefined],
  ['h', undefined],
])('%j is %s minutes', (text, minutes) => {
  expect(minutesOf(text)).toBe(minutes)
})

test('a time is read as it is written', () => {
  for (const minutes of [1, 30, 60, 90, 480, 1439, 144_000])
    expect(minutesOf(hoursText(minutes))).toBe(minutes)
})

const stored = {
  version: 1,
  targets: [
    {
      priority: 1 as const,
      category: null,
      organization_id: 7,
      first_response: 60,
      next_response: null,
      resolution: 480,
      in_working_hours: false,
    },
  ],
  pauses_while_waiting: true,
  reminder_percent: 75,
  zone: 'Europe/Berlin',
  days: [{ from: '09:00', to: '17:00' }, null, null, null, null, null, null],
  holidays: ['2026-12-25'],
}

test('loaded targets are sent back unchanged', () => {
  const { version: _version, ...settings } = stored
  expect(ServiceTargets.parse(toSend(valuesOf(stored)))).toEqual(settings)
})

test('each error is at its field', () => {
  const values = valuesOf(stored)
  values.targets.push({ ...newTarget, first_response: '4' }, newTarget)
  values.days[1] = { from: '17:00', to: '09:00' }
  expect(errorsOf(FormRules, toSend(values))).toEqual({
    'targets.1.first_response': 'Enter a time such as 4 h or 30 min, up to 2400 h.',
    'targets.2.first_response': 'Enter at least one time.',
    'days.1.to': 'Enter an end time after the start time.',
  })
})
