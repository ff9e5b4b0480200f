import pg from 'pg'

const { builtins } = pg.types
const int8Array = 1016
const dateArray = 1182
const timestamptzArray = 1185

/** Parsers for PostgreSQL values, so that rows can be serialized to JSON without conversion. */
export const typesForJson: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    return (format !== 'binary' && parsers.get(oid)) || pg.types.getTypeParser(oid, format)
  },
}

/** Cast, because the package's types describe a different version from the one pg depends on. */
const arrayParser = pg.types.arrayParser as unknown as {
  create(text: string, parse: (text: string) => unknown): { parse(): unknown[] }
}
const asText = (text: string) => text

const parsers = new Map<number, (text: string) => unknown>([
  // IDs and counts stay below 2^53.
  [builtins.INT8, Number],
  // Amounts of money have at most 14 digits, of which a number keeps each.
  [builtins.NUMERIC, Number],
  [builtins.DATE, asText],
  [builtins.TIMESTAMPTZ, instantOf],
  [int8Array, arrayOf(Number)],
  [dateArray, arrayOf(asText)],
  [timestamptzArray, arrayOf(instantOf)],
])

/** Converts a timestamp to ISO 8601 in UTC with milliseconds, like Date.toISOString. */
export function instantOf(text: string): string {
  // The connection uses UTC; parsing without a Date takes a tenth of the time.
  if (text.endsWith('+00') && text[4] === '-' && text[19] !== ' ') {
    const milliseconds = text[19] === '.' ? text.slice(20, -3).padEnd(3, '0').slice(0, 3) : '000'
    return `${text.slice(0, 10)}T${text.slice(11, 19)}.${milliseconds}Z`
  }
  const date: unknown = pg.types.getTypeParser(builtins.TIMESTAMPTZ)(text)
  return date instanceof Date ? date.toISOString() : text
}

function arrayOf(parse: (text: string) => unknown) {
  return (text: string) => arrayParser.create(text, parse).parse()
}
