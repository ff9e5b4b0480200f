import type { Readable } from 'node:stream'
import { sql, type CompiledQuery, type RawBuilder } from 'kysely'
import type pg from 'pg'
import type { FastifyReply } from 'fastify'
import { addDays, type PlainDate } from '#shared/dates.ts'
import type { Viewer } from '#shared/endpoint.ts'
import { instantAt } from '#shared/zones.ts'
import { asCsv } from '#server/files/csv.ts'
import { unpreparedMark } from '#server/db/connection.ts'
import type { Db } from '#server/db/db.ts'
import { HttpError } from '#server/http/errors.ts'
import { findRowsAndCount } from '#server/record/counted.ts'
import { streamWhileRead } from '#server/http/unread.ts'

/** Parameters of a list query that choose a page and a sort order instead of rows. */
type NotFilters = 'page' | 'per_page' | 'column' | 'direction'

/**
 * One function per filter of a contract, so that a new filter doesn't compile before the query uses it. It is
 * called only if its filter has a value.
 */
export type PerFilter<Filters, Result> = {
  readonly [Name in Exclude<keyof Filters, NotFilters>]: (
    value: Exclude<Filters[Name], undefined | ''>,
  ) => Result
}

/** The conditions of a contract's filters; one can be undefined if its value matches all rows. */
export type FilterConditions<Filters> = PerFilter<Filters, RawBuilder<unknown> | undefined>

/** Stands for the condition of a filter that the query handles in another place. */
export const handledElsewhere = (): undefined => undefined

/** Returns the conditions of the filters that have a value; an empty text is no value. */
export function conditionsOf<Filters>(
  filters: Partial<Filters>,
  conditions: FilterConditions<Filters>,
): RawBuilder<unknown>[] {
  const values: Record<string, unknown> = filters
  return Object.entries<(value: any) => RawBuilder<unknown> | undefined>(conditions).flatMap(
    ([name, condition]) => {
      const value = values[name]
      const part = value === undefined || value === '' ? undefined : condition(value)
      return part === undefined ? [] : [part]
    },
  )
}

/**
 * Returns the condition that a row matches all conditions of at least one group (shared/filter-groups.ts). The best plan
 * depends on the groups.
 */
export const anyGroup = (groups: readonly (readonly string[])[]): string =>
  `(${groups.map((conditions) => `(${conditions.join(' and ') || 'true'})`).join(' or ')}) ${unpreparedMark}`

/** Returns the instant at which a day begins for a reader. */
export const dayStart = (day: PlainDate, { zone = 'UTC' }: Pick<Viewer, 'zone'>): RawBuilder<string> =>
  sql`${instantAt(day, '00:00', zone)}::timestamptz`

/** Returns the instant at which a day ends for a reader, which is when the next one begins. */
export const dayEnd = (day: PlainDate, reader: Pick<Viewer, 'zone'>): RawBuilder<string> =>
  dayStart(addDays(day, 1), reader)

/** Returns the day of an instant for a reader. */
export const dayOf = (
  instant: RawBuilder<unknown>,
  { zone = 'UTC' }: Pick<Viewer, 'zone'>,
): RawBuilder<PlainDate> => sql`(${instant} at time zone ${zone}::text)::date`

/** If a search has more words than this, the remaining words are matched as a single string. */
const mostWords = 8

/**
 * Returns the SQL condition that a text contains every word of a search, in any order, regardless of case and
 * accents. `text` is the name of a `search` column or SQL for a `search_text(…)` (migration 0074). With
 * `phones`, a phone number is found in any format.
 */
export function matchesSearch(
  text: string | RawBuilder<unknown>,
  search: string,
  { phones = false }: { phones?: boolean } = {},
): RawBuilder<boolean> {
  const column = typeof text === 'string' ? sql.ref(text) : text
  const contains = (word: string) => sql`${column} like search_pattern(${word})`
  const all = sql.join(wordsOf(search).map(contains), sql` and `)
  const numbers = phones ? phoneForms(search).map(contains) : []
  // Plan the query for each search, because the rarity of its words decides whether an index is worth using.
  return sql`(${sql.join([all, ...numbers], sql` or `)} ${sql.raw(unpreparedMark)})`
}

/**
 * Returns the words of a search; a search that consists only of spaces yields one empty word, which every
 * text contains.
 */
export function wordsOf(search: string): string[] {
  const words = search.trim().split(/\s+/)
  return words.length <= mostWords
    ? words
    : [...words.slice(0, mostWords - 1), words.slice(mostWords - 1).join(' ')]
}

/** A number that is compared without its country code has at least this many digits. */
const fewestDigits = 7

/**
 * Returns the forms in which a search text can have a phone number that someone searches for; none if the search
 * is not part of a phone number. A search text has each number as it was typed and, after a space, its digits alone.
 * A number with a country code is also found if it was stored without one, with or without a zero at the start.
 */
export function phoneForms(search: string): string[] {
  if (!/^[\d\s()+./-]+$/.test(search)) return []
  const digits = search.replace('(0)', '').replace(/\D/g, '').replace(/^0+/, '')
  if (digits.length < 2) return []
  const hasCountry = /^\s*(\+|00)/.test(search)
  // Country codes have one to three digits.
  const national = hasCountry ? [1, 2, 3].map((length) => digits.slice(length)) : []
  const whole = national.filter((rest) => rest.length >= fewestDigits && !rest.startsWith('0'))
  return [digits, ...whole.flatMap((rest) => [` ${rest}`, ` 0${rest}`])]
}

/**
 * Returns a page of a list, and its total, queried together. `rows` gets the part that limits the
 * rows to the page; `matching` is the query from its `from` on, without order.
 * @param upTo counts no further, for lists whose exact total would be slow
 */
export async function findPage<Row extends object>(
  db: Db,
  page: number,
  perPage: number,
  rows: (limit: RawBuilder<unknown>) => RawBuilder<Row>,
  matching: RawBuilder<unknown>,
  upTo?: number,
): Promise<{ data: Row[]; total: number; per_page: number }> {
  const counted = upTo === undefined ? matching : sql`from (select ${matching} limit ${upTo}) one`
  const [data, { total }] = await findRowsAndCount(
    db,
    rows(sql`limit ${perPage} offset ${(page - 1) * perPage}`).compile(db),
    sql<{ total: number }>`select count(*) as total ${counted}`.compile(db),
  )
  return { data, total, per_page: perPage }
}

const rowsAtOnce = 250
/** Each export holds a connection while it is being read; a fifth of a large pool is for exports. */
const mostExports = ({ options: { max } }: pg.Pool) => Math.min(max - 1, Math.max(4, Math.floor(max / 5)))
let running = 0

/** A line above the header, or a query for such lines if there may be too many to hold in memory. */
export type HeadPart =
  | readonly unknown[]
  | { query: CompiledQuery<any>; line: (row: any) => readonly unknown[] }

/**
 * Sends a CSV for a spreadsheet, with a BOM and with cells escaped so that none is interpreted as a formula.
 * Rows are read through a cursor, so that a million rows need no more memory than a thousand. `columns` maps
 * each column's name to a function of the row; `head` appears above the header. Everything is read from a
 * single snapshot.
 * @throws HttpError 503 if too many exports are running concurrently.
 */
export async function replyCsv<Row>(
  pool: pg.Pool,
  reply: FastifyReply,
  name: string,
  query: CompiledQuery<Row>,
  columns: Readonly<Record<string, (row: Row) => unknown>>,
  head: readonly HeadPart[] = [],
): Promise<FastifyReply> {
  const cells = Object.values(columns)
  const stream = await openCsv(pool, [
    ...head,
    Object.keys(columns),
    { query, line: (row) => cells.map((cell) => cell(row)) },
  ])
  return reply
    .header('Content-Disposition', `attachment; filename="${name}"`)
    .type('text/csv; charset=utf-8')
    .send(stream)
}

/**
 * Opens a stream of a CSV.
 * @throws HttpError 503 if too many exports are running concurrently.
 */
export async function openCsv(pool: pg.Pool, parts: readonly HeadPart[]): Promise<Readable> {
  if (running >= mostExports(pool))
    throw new HttpError(503, 'Too many exports are running. Try again in a moment.', { retryAfter: 10 })
  running += 1
  try {
    const client = await pool.connect()
    try {
      await client.query('begin isolation level repeatable read read only')
      // Longer timeouts: the first fetch may have to sort all rows, and the client may be slow to read them.
      await client.query(
        "set local statement_timeout = '60s'; set local idle_in_transaction_session_timeout = '5min'",
      )
      for (const [index, part] of parts.entries())
        if ('query' in part)
          await client.query(`declare part_${index} no scroll cursor for ${part.query.sql}`, [
            ...part.query.parameters,
          ])
      const stream = streamWhileRead(readCsv(client, parts))
      // This event fires even if nothing was ever read. If the export is aborted, the connection is dropped
      // along with its transaction.
      return stream.once('close', () => {
        client.release(!stream.readableEnded)
        running -= 1
      })
    } catch (error) {
      client.release(true)
      throw error
    }
  } catch (error) {
    running -= 1
    throw error
  }
}

async function* readCsv(client: pg.PoolClient, parts: readonly HeadPart[]): AsyncGenerator<string> {
  yield '\ufeff'
  for (const [index, part] of parts.entries()) {
    if (!('query' in part)) {
      yield asCsv([part])
      continue
    }
    for (;;) {
      const { rows } = await client.query(`fetch ${rowsAtOnce} from part_${index}`)
      const lines = rows.map(part.line)
      // Results on a connection reference each other until a full garbage collection, so empty each result to
      // free its rows.
      rows.length = 0
      if (lines.length) yield asCsv(lines)
      if (lines.length < rowsAtOnce) break
    }
  }
  await client.query('commit')
}
