import { z } from 'zod'

/* Numbers and amounts of money as people type them. */

/** The mark before the decimals. */
export type DecimalMark = 'point' | 'comma'
/** One mark before three digits, as in 1.500, can be before thousands or decimals: `points`, `commas`. */
export type NumberShape = DecimalMark | 'points' | 'commas'

/** Spaces and apostrophes between thousands, such as those of France and Switzerland. */
export const groupMarks = /[\s\u00a0\u2009\u202f'’]/g

const shapes: readonly [NumberShape, RegExp][] = [
  // After a zero, or four digits, the mark is before decimals.
  ['points', /^-?[1-9]\d{0,2}\.\d{3}$/],
  ['commas', /^-?[1-9]\d{0,2},\d{3}$/],
  ['point', /^-?(?:\d+|\d{1,3}(?:,\d{3})+)\.\d+$/],
  ['comma', /^-?(?:\d+|\d{1,3}(?:\.\d{3})+),\d+$/],
  ['point', /^-?\d{1,3}(?:,\d{3}){2,}$/],
  ['comma', /^-?\d{1,3}(?:\.\d{3}){2,}$/],
]

/** Returns what the marks in a number say; undefined if it has none, or isn't a number. */
export const shapeOf = (number: string): NumberShape | undefined =>
  shapes.find(([, pattern]) => pattern.test(number))?.[0]

const numbers: Readonly<Record<DecimalMark, RegExp>> = {
  point: /^-?(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?$/,
  comma: /^-?(?:\d+|\d{1,3}(?:\.\d{3})+)(?:,\d+)?$/,
}

/**
 * Returns a number with a point before its decimals and nothing else; undefined for other texts. The given mark decides
 * only about a number that can be read in two ways.
 */
export function plainNumber(number: string, ifUnclear: DecimalMark): string | undefined {
  const shape = shapeOf(number)
  const mark = shape === 'point' || shape === 'comma' ? shape : ifUnclear
  if (!numbers[mark].test(number)) return undefined
  return mark === 'point' ? number.replaceAll(',', '') : number.replaceAll('.', '').replace(',', '.')
}

/**
 * Returns a typed number such as 1.500,00, 1 500, or 1,500.00 as `plainNumber` does.
 * @param points what the point in 1.500 is before; the comma in 1,500 is before thousands
 */
export function typedNumber(typed: string, points: 'thousands' | 'decimals'): string | undefined {
  const number = typed.trim().replaceAll(groupMarks, '')
  return plainNumber(number, points === 'thousands' && shapeOf(number) === 'points' ? 'comma' : 'point')
}

const whyNotAmount = 'Enter an amount with at most two decimals, such as 12000 or 12000.50.'
const largestAmount = 999_999_999_999.99

const amountOf = (read: (typed: string) => string | undefined) =>
  z
    .union(
      [
        z.number(),
        z.string().refine((typed) => /^-?\d{1,15}(\.\d{1,2})?$/.test(read(typed) ?? ''), whyNotAmount),
      ],
      whyNotAmount,
    )
    .transform((value) => Number(typeof value === 'number' ? value : read(value)))
    .pipe(
      z
        .number(whyNotAmount)
        .check(z.gte(0, 'Enter 0 or more.'), z.lte(largestAmount, 'Enter 999,999,999,999.99 or less.'))
        .refine((value) => Number(value.toFixed(2)) === value, whyNotAmount),
    )

/**
 * An amount of money from 0, also accepted as a string as people type it, such as 1.500,00. It has at most two decimals, so
 * the point in 1.500 is before thousands.
 */
export const moneyAmount = amountOf((typed) => typedNumber(typed, 'thousands'))

/** An amount in a file, whose column has decided what a point is before: 1.500 has too many decimals here. */
export const plainAmount = amountOf((number) => plainNumber(number.trim(), 'point'))
