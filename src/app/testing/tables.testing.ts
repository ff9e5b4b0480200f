import { parse } from 'csv-parse/sync'
import { unzipSync } from 'fflate'
import { expect } from 'vitest'
import type { TestClient } from '#app/testing/start.testing.ts'

type CsvTable = Record<string, string>[]

const read = (csv: string | Buffer): CsvTable => parse(csv, { columns: true, bom: true })

/** Exports a report, and returns its tables by their name. Each is the same on its own. */
export async function exportTables(
  client: TestClient,
  path: string,
  query: string,
  headers: Record<string, string> = {},
): Promise<Record<string, CsvTable>> {
  const reply = await client.get(`${path}?${query}`, { headers })
  expect([reply.status, reply.headers['content-type']]).toEqual([200, 'application/zip'])
  const tables = Object.entries(unzipSync(reply.bytes)).map(
    ([file, csv]) => [file.replace(/\.csv$/, ''), read(Buffer.from(csv))] as const,
  )
  for (const [table, rows] of tables) {
    const alone = await client.get(`${path}?${query}&table=${table}`, { headers })
    expect([alone.status, alone.headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8'])
    expect(alone.headers['content-disposition']).toContain(`-${table}.csv`)
    expect(read(alone.text)).toEqual(rows)
  }
  return Object.fromEntries(tables)
}

/** Returns the sum of a column without the row of all, and that row's value; undefined without such a row. */
export function totalsOf(rows: CsvTable, column: string): { sum: number; all: number | undefined } {
  const isAll = (row: Record<string, string>) => Object.values(row)[0] === 'All'
  const all = rows.find(isAll)?.[column]
  return {
    sum: rows.filter((row) => !isAll(row)).reduce((sum, row) => sum + Number(row[column]), 0),
    all: all === undefined ? undefined : Number(all),
  }
}
