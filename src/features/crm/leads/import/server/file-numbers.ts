import { currencies } from '#shared/currencies.ts'
import { groupMarks, shapeOf, type NumberShape } from '#shared/numbers.ts'
import type { DecimalForm } from '#features/crm/leads/import/mapping.contract.ts'
import { readCell, type FileRow } from '#features/crm/leads/import/server/table-file.ts'

/* Numbers and amounts of money as people and spreadsheets write them. */

/** Currencies that a sign can stand for, the most common one first. */
const signs: Readonly<Record<string, readonly string[]>> = {
  '€': ['EUR'],
  $: ['USD', 'CAD', 'AUD', 'NZD', 'SGD', 'HKD', 'MXN', 'TWD', 'CLP', 'COP', 'ARS'],
  us$: ['USD'],
  c$: ['CAD'],
  ca$: ['CAD'],
  a$: ['AUD'],
  au$: ['AUD'],
  nz$: ['NZD'],
  s$: ['SGD'],
  hk$: ['HKD'],
  r$: ['BRL'],
  '£': ['GBP', 'EGP'],
  '¥': ['JPY', 'CNY'],
  '₹': ['INR'],
  '₩': ['KRW'],
  '₽': ['RUB'],
  '₺': ['TRY'],
  '₴': ['UAH'],
  '₪': ['ILS'],
  '฿': ['THB'],
  '₫': ['VND'],
  '₦': ['NGN'],
  '₱': ['PHP'],
  zł: ['PLN'],
  kč: ['CZK'],
  ft: ['HUF'],
  lei: ['RON'],
  fr: ['CHF'],
  sfr: ['CHF'],
}
/** The sign of several currencies of which none is more likely; another column says which one it is. */
const crowns = ['SEK', 'NOK', 'DKK', 'ISK']

/** No written number is longer; longer cells are not searched for one. */
const longestNumber = 40

export interface WrittenAmount {
  /** The number as it is written, without its currency and the spaces in it. */
  number: string
  /** The currencies that it can have, the most likely one first; absent if the cell names none. */
  currencies?: readonly string[]
}

/** Separates a number from the sign or the code of its currency; undefined for a text that isn't an amount. */
export function splitAmount(cell: string): WrittenAmount | undefined {
  if (cell.length > longestNumber) return undefined
  const [, before = '', number = '', after = ''] =
    /^([^\d\s.,'’-]*)\.?\s*(-?\d[\d.,\s\u00a0\u2009\u202f'’]*)(?:(?<=[.,])[-–—]{1,2})?\s*([^\d\s,'’-]*)$/u.exec(
      cell,
    ) ?? []
  if (number === '' || (before !== '' && after !== '')) return undefined
  const plain = number.replaceAll(groupMarks, '').replace(/[.,]$/, '')
  const named = before || after
  if (named === '') return { number: plain }
  const found = currenciesOf(named)
  return found && { number: plain, currencies: found }
}

function currenciesOf(named: string): readonly string[] | undefined {
  const code = named.toUpperCase()
  if (currencies.includes(code)) return [code]
  const sign = named.toLowerCase().replace(/\.$/, '')
  return sign === 'kr' ? crowns : signs[sign]
}

/** Returns whether a sign leaves open which currency it is. */
export const isCrown = (found: readonly string[]): boolean => found === crowns

/** Returns how each column writes numbers, over all rows of a file; null where they leave no choice. */
export function decimalFormsOf(
  columns: number,
  rows: readonly Pick<FileRow, 'cells'>[],
): (DecimalForm | null)[] {
  const found = Array.from({ length: columns }, () => new Set<NumberShape>())
  for (const { cells } of rows)
    for (const [index, raw] of cells.entries()) {
      // Most cells have no digits, or no marks.
      if (raw.length > longestNumber || !/\d[.,]/.test(raw)) continue
      const number = splitAmount(readCell(raw))?.number
      const shape = number === undefined ? undefined : shapeOf(number)
      if (shape) found[index]?.add(shape)
    }
  return found.map(formOf)
}

function formOf(found: ReadonlySet<NumberShape>): DecimalForm | null {
  if (found.has('point') && found.has('comma'))
    // Otherwise each row is clear.
    return found.has('points') || found.has('commas') ? 'unclear' : null
  if (found.has('point')) return 'point'
  if (found.has('comma')) return 'comma'
  if (found.has('points')) return found.has('commas') ? 'unclear' : 'points'
  return found.has('commas') ? 'point' : null
}
