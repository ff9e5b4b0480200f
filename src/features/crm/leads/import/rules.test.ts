import { expect, test } from 'vitest'
import { proposeField } from '#features/crm/leads/import/rules.ts'

/* The custom field that the values of a column propose. Each value is in the given number of rows. */

const isDay = (value: string) => /^\d{2}\/\d{2}\/\d{4}$/.test(value)
const propose = (rows: number, ...values: string[]) =>
  proposeField(
    values.map((value) => ({ value, rows })),
    isDay,
  )

test.each([
  ['text', 1, []],
  ['text', 1, ['Jensen', 'Elevator']],
  ['choice', 2, ['Jensen', 'Elevator']],
  ['number', 1, ['1,200', '12.5', '-3']],
  ['number', 9, ['0', '1']],
  ['number', 1, ['2026', '3']],
  ['text', 1, ['1200', 'many']],
  // Numbers would lose their zeros.
  ['text', 1, ['00420', '12']],
  ['date', 1, ['31/12/2026', '03/04/2026']],
  ['yes_no', 1, ['TRUE', 'false']],
  ['yes_no', 1, ['y']],
  ['link', 1, ['https://a.example/7', 'tender.example']],
  ['text', 1, ['https://a.example/7', 'none']],
  ['choices', 1, ['Lockers', 'Training', 'Lockers, Training']],
  ['choices', 2, ['Lockers; Training']],
  ['choice', 2, ['Small, under 10', 'Large, over 10']],
  ['text', 1, ['Called; no answer', 'Wrote; she is away']],
] as const)('%s, in %i rows each: %j', (type, rows, values) => {
  expect(propose(rows, ...values).type).toBe(type)
})

test('the choices are the different values, those of most rows first', () => {
  const values = [
    { value: 'jensen', rows: 2 },
    { value: 'Miele', rows: 2 },
    { value: 'Jensen', rows: 1 },
    { value: 'Miele; Elevator', rows: 4 },
  ]
  const { choice, choices } = proposeField(values, isDay)
  expect(choice).toEqual({ names: ['Miele; Elevator', 'jensen', 'Miele'], count: 3 })
  expect(choices).toEqual({ names: ['Miele', 'Elevator', 'jensen'], count: 3 })
})

test('more values than a field can have choices, or longer ones, are text; as many choices as fit are listed', () => {
  const many = propose(9, ...Array.from({ length: 101 }, (_, index) => `Model ${index}`))
  expect(many.type).toBe('text')
  expect(many.choice.names).toHaveLength(100)
  expect(many.choice.count).toBe(101)
  const long = propose(9, 'Miele', 'x'.repeat(81))
  expect(long.type).toBe('text')
  expect(long.choice).toEqual({ names: ['Miele'], count: 2 })
})
