import { stringify } from 'csv-stringify/sync'

/**
 * Matches a first character that a spreadsheet treats as the start of a formula or ignores in front of one.
 */
const startsFormula = /^[-=+@\t\r\uff1d\uff0b\uff0d\uff20]/
/**
 * An international phone number is not a formula, and adding an apostrophe would make it impossible to dial.
 */
const phone = /^\+\d[\d ()./-]{5,30}$/

/** Formats rows as CSV for spreadsheets: an apostrophe keeps text from being interpreted as a formula. */
export const asCsv = (rows: readonly (readonly unknown[])[]): string =>
  stringify(
    rows.map((row) =>
      row.map((cell) =>
        typeof cell === 'string' && startsFormula.test(cell) && !phone.test(cell) ? `'${cell}` : cell,
      ),
    ),
  )

/** Returns a cell of an imported file without the apostrophe that an export added in front of it. */
export const withoutApostrophe = (cell: string): string =>
  cell.startsWith("'") && startsFormula.test(cell.slice(1)) ? cell.slice(1) : cell
