import { expect, test } from 'vitest'
import { moneyAmount, typedNumber } from '#shared/numbers.ts'

test.each([
  ['1500', 1500],
  [' 1,500.00 ', 1500],
  ['1.500,00', 1500],
  ['1 500', 1500],
  ['1\u202f500,5', 1500.5],
  ["1'500.25", 1500.25],
  ['1,500', 1500],
  ['1.500', 1500],
  ['1.500.000', 1_500_000],
  ['12,5', 12.5],
  ['0.5', 0.5],
  [1500.5, 1500.5],
])('the amount %j is %s', (typed, amount) => {
  expect(moneyAmount.parse(typed)).toBe(amount)
})

test.each([['much'], [''], ['1,2,3'], ['12.0001'], ['0.125'], ['0,125'], ['1.500,005'], ['1e3'], [0.001]])(
  '%j is no amount',
  (typed) => {
    expect(moneyAmount.safeParse(typed).error?.issues[0]?.message).toBe(
      'Enter an amount with at most two decimals, such as 12000 or 12000.50.',
    )
  },
)

test('a number that isn’t an amount can have three decimals after a point', () => {
  expect(typedNumber('1.500', 'decimals')).toBe('1.500')
  expect(typedNumber('1,500', 'decimals')).toBe('1500')
  expect(typedNumber('1.500,25', 'decimals')).toBe('1500.25')
  expect(typedNumber('1 200', 'decimals')).toBe('1200')
})
