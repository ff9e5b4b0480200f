import { expect, test } from 'vitest'
import { groupItems, whenText } from '#web/dashboard/dayGroups.ts'
import type { When } from '#web/dashboard/daySource.ts'

const today = '2026-11-18'
/** A moment of this day in the zone of the tests. */
const at = (day: string, time: string) => new Date(`${day}T${time}:00`).toISOString()

test('items are grouped by day and sorted by time; what waits since some moment belongs to today', () => {
  const items: { name: string; when: When }[] = [
    { name: 'no date', when: { day: null } },
    { name: 'next week', when: { day: '2026-11-25' } },
    { name: 'session tomorrow', when: { at: at('2026-11-19', '09:00') } },
    { name: 'today', when: { day: today } },
    { name: 'session', when: { at: at(today, '16:00') } },
    { name: 'ticket of last week', when: { since: at('2026-11-11', '08:00') } },
    { name: 'ticket', when: { since: at(today, '13:58') } },
    { name: 'yesterday', when: { day: '2026-11-17' } },
    { name: 'long overdue', when: { day: '2026-10-01' } },
  ]
  const names = Object.fromEntries(
    Object.entries(groupItems(items, today)).map(([group, found]) => [group, found.map(({ name }) => name)]),
  )
  expect(names).toEqual({
    Overdue: ['long overdue', 'yesterday'],
    Today: ['ticket of last week', 'ticket', 'session', 'today'],
    Upcoming: ['session tomorrow', 'next week', 'no date'],
  })
})

test.each<[Parameters<typeof whenText>[0], string]>([
  [{ day: '2026-11-15' }, '15 Nov 2026'],
  [{ day: '2026-11-17' }, 'Yesterday'],
  [{ day: today }, 'Today'],
  [{ day: '2026-11-19' }, 'Tomorrow'],
  [{ day: '2026-11-24' }, 'Tuesday'],
  [{ day: '2026-11-25' }, '25 Nov 2026'],
  [{ day: null }, 'No due date'],
  [{ at: at(today, '16:00') }, '16:00'],
  [{ at: at('2026-11-20', '09:30') }, 'Friday, 09:30'],
])('%j is written as %s', (when, text) => {
  expect(whenText(when, today)).toBe(text)
})
