import { expect, test } from 'vitest'
import { bestFirst } from '#web/palette/bestFirst.ts'

const hit = (id: string, number?: number) => ({
  id,
  label: id,
  detail: '',
  to: '/',
  ...(number === undefined ? {} : { number }),
})
const found = [
  { group: 'Users', hits: [hit('+1 902 555 0145')] },
  { group: 'Tickets', hits: [hit('Room 145', 12), hit('Scanner', 145)] },
]
const order = (text: string) => bestFirst(found, text).flatMap(({ hits }) => hits.map(({ id }) => id))

test('a record with the typed number comes before records that contain it', () => {
  expect(order('145')).toEqual(['Scanner', 'Room 145', '+1 902 555 0145'])
  expect(order('#145')).toEqual(order('145'))
})

test('without such a record, the order stays', () => {
  for (const text of ['14', 'room 145', '0145', ''])
    expect(order(text)).toEqual(['+1 902 555 0145', 'Room 145', 'Scanner'])
})

test('a number has no hits until the records that are named by their number have answered', () => {
  const tasks = { group: 'Tasks', hits: [hit('Task', 145)] }
  const tickets = { group: 'Tickets', hits: [hit('Ticket', 145)], isNamedByNumber: true }
  const shown = (isFetching: boolean, text: string) =>
    bestFirst([tasks, { ...tickets, hits: isFetching ? [] : tickets.hits, isFetching }], text).flatMap(
      ({ hits }) => hits.map(({ id }) => id),
    )
  expect(shown(true, '#145')).toEqual([])
  expect(shown(true, 'scanner')).toEqual(['Task'])
  expect(shown(false, '#145')).toEqual(['Task', 'Ticket'])
})
