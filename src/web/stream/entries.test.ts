import { expect, test } from 'vitest'
import { itemsOf, type StreamEntry } from '#web/stream/entries.ts'
import { dayHeading } from '#web/time.ts'

const entry = (id: string, at: string, kind: StreamEntry['kind'] = 'theirs'): StreamEntry => ({
  id,
  kind,
  at,
  who: 'Ana',
  content: id,
})

const shown = (entries: StreamEntry[], unread?: string, isNewestFirst = false) =>
  itemsOf(entries, '2026-11-18', { unread, isNewestFirst }).map((item) =>
    item.kind === 'day'
      ? item.words
      : item.kind === 'entry'
        ? item.entry.id
        : item.entries.map(({ id }) => id),
  )

test('a day is named by its weekday, today by its name, and another year is shown', () => {
  expect(dayHeading('2026-11-17', '2026-11-18')).toBe('Tuesday, 17 Nov')
  expect(dayHeading('2026-11-18', '2026-11-18')).toBe('Today')
  expect(dayHeading('2025-12-31', '2026-01-01')).toBe('Wednesday, 31 Dec 2025')
})

test('entries are in order of time under their days, and the unread ones have a heading', () => {
  const entries = [
    entry('c', '2026-11-18T12:00:00Z'),
    entry('a', '2026-11-16T12:00:00Z'),
    entry('b', '2026-11-16T13:00:00Z'),
  ]
  expect(shown(entries)).toEqual(['Monday, 16 Nov', 'a', 'b', 'Today', 'c'])
  expect(shown(entries, 'b')).toEqual(['Monday, 16 Nov', 'a', 'Monday, 16 Nov · New', 'b', 'Today', 'c'])
  expect(shown(entries, 'c')).toEqual(['Monday, 16 Nov', 'a', 'b', 'Today · New', 'c'])
})

test('four changes in a row are folded, three are not', () => {
  const changes = (count: number) =>
    Array.from({ length: count }, (_, at) => entry(`change-${at}`, `2026-11-18T12:0${at}:00Z`, 'change'))
  expect(shown([...changes(3), entry('m', '2026-11-18T13:00:00Z')])).toEqual([
    'Today',
    'change-0',
    'change-1',
    'change-2',
    'm',
  ])
  expect(shown([...changes(4), entry('m', '2026-11-18T13:00:00Z')])).toEqual([
    'Today',
    ['change-0', 'change-1', 'change-2', 'change-3'],
    'm',
  ])
})

test('newest first, only older changes are folded', () => {
  const changes = (day: number) =>
    Array.from({ length: 4 }, (_, at) => entry(`${day}-${at}`, `2026-11-${day}T12:0${at}:00Z`, 'change'))
  expect(
    shown([...changes(16), entry('note', '2026-11-17T11:00:00Z', 'note'), ...changes(17)], undefined, true),
  ).toEqual([
    'Tuesday, 17 Nov',
    '17-3',
    '17-2',
    '17-1',
    '17-0',
    'note',
    'Monday, 16 Nov',
    ['16-3', '16-2', '16-1', '16-0'],
  ])
})
