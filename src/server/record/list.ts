import { Readable } from 'node:stream'
import { stringify } from 'csv-stringify/sync'
import { sql, type CompiledQuery, type SelectQueryBuilder } from 'kysely'
import type pg from 'pg'
import type { FastifyReply } from 'fastify'
import type { Db } from '#server/db/db.ts'
import { HttpError } from '#server/http/errors.ts'
import { countedRow } from '#server/record/counted.ts'

/** A text as a pattern that finds it anywhere: its own signs of patterns stand for themselves. */
export const anywhere = (text: string): string => `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`

/** The digits of a text that can be part of a phone number, without the zeros that a country's code stands for; else nothing. */
export const phoneDigits = (text: string): string | undefined => {
  const digits = /^[\d\s()+./-]+$/.test(text) ? text.replace(/\D/g, '').replace(/^0+/, '') : ''
  return digits.length >= 2 ? digits : undefined
}

/**
 * A page of a list and how many there are, asked side by side: `findPage(db, matching, filters.page, 20, (q) => q.select([...]).orderBy(...))`.
 * `matching` says which rows are kept; `shown` what is read of those of one page, in order, with a tie-breaker. Past the end the page is empty and keeps its total.
 */
export async function findPage<DB, TB extends keyof DB, Shown>(
  db: Db,
  matching: SelectQueryBuilder<DB, TB, {}>,
  page: number,
  perPage: number,
  shown: (matching: SelectQueryBuilder<DB, TB, {}>) => SelectQueryBuilder<any, any, Shown>,
): Promise<{ data: Shown[]; total: number; per_page: number }> {
  const [data, counted] = await Promise.all([
    shown(matching)
      .limit(perPage)
      .offset((page - 1) * perPage)
      .execute(),
    countedRow(db, matching.select(sql<number>`count(*)`.as('total')).compile() as CompiledQuery<{ total: number }>),
  ])
  return { data, total: counted.total, per_page: perPage }
}

const rowsAtOnce = 250
/** Each holds a connection of the pool for as long as it is read. */
const mostExports = 4
let running = 0

/** A line above the header, or the lines that a query makes, where they may be too many to hold. */
export type HeadPart = readonly unknown[] | { query: CompiledQuery<any>; line: (row: any) => readonly unknown[] }

/**
 * Answers a CSV for a spreadsheet: with BOM, nothing in it begins a formula. Rows are read through a cursor, so that a million need no more memory than a thousand.
 * `columns` names each column and says what of a row stands in it; `head` is above the header. All of it is of one moment.
 * @throws HttpError 503 when too many are read at once.
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
  const stream = await openCsv(pool, [...head, Object.keys(columns), { query, line: (row) => cells.map((cell) => cell(row)) }])
  return reply.header('Content-Disposition', `attachment; filename="${name}"`).type('text/csv; charset=utf-8').send(stream)
}

async function openCsv(pool: pg.Pool, parts: readonly HeadPart[]): Promise<Readable> {
  if (running >= mostExports) throw new HttpError(503, 'Other exports are running. Please try again in a moment.', { retryAfter: 10 })
  running += 1
  try {
    const client = await pool.connect()
    try {
      await client.query('begin isolation level repeatable read read only')
      // The first piece may sort them all, and slow readers may take their time.
      await client.query("set local statement_timeout = '60s'; set local idle_in_transaction_session_timeout = '5min'")
      for (const [index, part] of parts.entries())
        if ('query' in part) await client.query(`declare part_${index} no scroll cursor for ${part.query.sql}`, [...part.query.parameters])
      // One piece ahead of who reads is enough.
      const stream = Readable.from(readCsv(client, parts), { highWaterMark: 1 })
      // Also when nobody ever read from it. Given up in the middle, the connection goes with its transaction.
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
      // The answers of a connection hang on each other until the whole heap is swept: emptied, they hold nothing.
      rows.length = 0
      if (lines.length) yield asCsv(lines)
      if (lines.length < rowsAtOnce) break
    }
  }
  await client.query('commit')
}

const asCsv = (rows: (readonly unknown[])[]) => stringify(rows, { escape_formulas: true })
