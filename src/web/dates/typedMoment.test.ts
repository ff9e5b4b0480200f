import { expect, test } from 'vitest'
import { whyPast } from '#web/dates/typedMoment.ts'

test('a past time gets a notice, a future or missing one does not', () => {
  const now = Date.parse('2026-03-16T10:00:00Z')
  expect(whyPast('2026-03-16T09:59:00Z', now)).toBe('This time is in the past.')
  expect(whyPast('2026-03-16T10:01:00Z', now)).toBeUndefined()
  expect(whyPast(undefined, now)).toBeUndefined()
})
