import type { FastifyReply } from 'fastify'
import { strToU8, zipSync } from 'fflate'
import { asCsv } from '#server/files/csv.ts'

/** The rows of a table, of which the first has the names of its columns. */
export type CsvRows = readonly (readonly unknown[])[]

// Spreadsheets recognize UTF-8 by the mark at the beginning.
const csvOf = (rows: CsvRows): string => `\ufeff${asCsv(rows)}`

/**
 * Sends one of the tables of a report as CSV or, if none is chosen, all of them as a zip archive with a CSV of each: a
 * spreadsheet can't read several tables in one CSV.
 */
export function sendTables<Name extends string>(
  reply: FastifyReply,
  name: string,
  tables: Readonly<Record<Name, CsvRows>>,
  chosen: Name | undefined,
): FastifyReply {
  const [file, type] =
    chosen === undefined
      ? [`${name}.zip`, 'application/zip']
      : [`${name}-${chosen}.csv`, 'text/csv; charset=utf-8']
  const entries = Object.entries<CsvRows>(tables).map(
    ([table, rows]) => [`${table}.csv`, strToU8(csvOf(rows))] as const,
  )
  return reply
    .header('Content-Disposition', `attachment; filename="${file}"`)
    .type(type)
    .send(chosen === undefined ? Buffer.from(zipSync(Object.fromEntries(entries))) : csvOf(tables[chosen]))
}
