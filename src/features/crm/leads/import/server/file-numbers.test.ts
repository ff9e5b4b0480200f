import { expect, test } from 'vitest'
import { plainNumber } from '#shared/numbers.ts'
import { decimalFormsOf, splitAmount } from '#features/crm/leads/import/server/file-numbers.ts'

test.each([
  ['1,500.00', '1,500.00', undefined],
  ['1 500,00', '1500,00', undefined],
  ['1\u202f500,00\u00a0€', '1500,00', ['EUR']],
  ["CHF 1'500.00", '1500.00', ['CHF']],
  ['USD1500', '1500', ['USD']],
  ['$1,500', '1,500', expect.arrayContaining(['USD', 'CAD'])],
  ['1.500,- €', '1.500', ['EUR']],
  ['Fr. 20', '20', ['CHF']],
  ['500 kr.', '500', ['SEK', 'NOK', 'DKK', 'ISK']],
  ['1.500 zł', '1.500', ['PLN']],
])('the amount %s is %s in %j', (cell, number, currencies) => {
  expect(splitAmount(cell)).toEqual(currencies ? { number, currencies } : { number })
})

test.each([['about 5'], ['5 apples'], ['EUR'], ['EUR 5 USD'], [''], ['12/31/2026'], ['9'.repeat(41)]])(
  '%j is no amount',
  (cell) => {
    expect(splitAmount(cell)).toBeUndefined()
  },
)

test.each([
  ['point', ['1,500.00', '20']],
  ['comma', ['1.500,00', '20']],
  ['comma', ['1 500,5 €']],
  ['point', ['1,500,000']],
  ['comma', ['1.500.000']],
  ['point', ['1,500', '2,000']],
  ['points', ['1.500', '20']],
  ['point', ['0.125', '1.500']],
  ['unclear', ['1,500.00', '1.500,00', '2.500']],
  [null, ['1,500.00', '1.500,00']],
  ['unclear', ['1.500', '1,500']],
  [null, ['1500', 'x', '04.03.2026', '']],
])('a column is %s with %j', (form, cells) => {
  expect(
    decimalFormsOf(
      1,
      cells.map((cell) => ({ cells: [cell] })),
    ),
  ).toEqual([form])
})

test('the mark of the column decides only about a number that can be read in two ways', () => {
  for (const mark of ['point', 'comma'] as const) {
    expect(plainNumber('1.500,25', mark)).toBe('1500.25')
    expect(plainNumber('1,500.25', mark)).toBe('1500.25')
    expect(plainNumber('1,5', mark)).toBe('1.5')
    expect(plainNumber('12,34,56', mark)).toBeUndefined()
  }
  expect(plainNumber('1.500', 'comma')).toBe('1500')
  expect(plainNumber('1.500', 'point')).toBe('1.500')
  expect(plainNumber('1,500', 'comma')).toBe('1.500')
})
