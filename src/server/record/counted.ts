import { CompiledQuery, sql } from 'kysely'
import { poolOf, queryPipelined, type Db } from '#server/db/db.ts'

/*
 * Counting a million rows exactly takes a tenth of a second, and the count changes only on a write. It is
 * therefore cached together with the database's write marks (migration 0041) and counted again once the marks
 * differ: docs/decisions/012-counts-are-remembered.md.
 */

/** Tables whose writes the database marks with a trigger, by database. */
const watchedTables = new WeakMap<Db, Promise<ReadonlySet<string>>>()

function findWatchedTables(db: Db): Promise<ReadonlySet<string>> {
  const known = watchedTables.get(db)
  if (known) return known
  const found = sql<{ table: string }>`select distinct tgrelid::regclass::text as table from pg_trigger
    where tgfoid = 'note_table_write'::regproc`
    .execute(db)
    .then(({ rows }): ReadonlySet<string> => new Set(rows.map(({ table }) => table)))
  watchedTables.set(db, found)
  // A failed query is repeated by the next count.
  found.catch(() => watchedTables.delete(db))
  return found
}

interface Remembered {
  mark: string
  row: unknown
}
const maxCachedCounts = 500
const remembered = new WeakMap<Db, Map<string, Remembered>>()
const tablesOf = new Map<string, readonly string[] | null>()

/**
 * Returns the single row of a counting query, cached until any process writes to one of its tables. A query
 * that uses other tables or depends on the time is never cached, nor is one in a transaction, which sees its
 * own uncommitted rows.
 */
export async function cachedCountRow<Row>(db: Db, query: CompiledQuery<Row>): Promise<Row> {
  const tables = db.isTransaction ? null : watchedIn(query.sql, await findWatchedTables(db))
  if (!tables) return first(await db.executeQuery(query))
  const counts = remembered.get(db) ?? new Map<string, Remembered>()
  remembered.set(db, counts)
  const key = keyOf(query)
  // Read the mark first. A write in between makes the count newer than its mark, which may cause one extra
  // count but never a stale one.
  const mark = await markOf(db, tables)
  const known = counts.get(key)
  const row = known?.mark === mark ? (known.row as Row) : first(await db.executeQuery(query))
  keep(counts, key, { mark, row })
  return row
}

/**
 * Returns the rows of a page, and the row of its counting query as `cachedCountRow` does. If the count is cached, the page
 * and the marks are read in one round trip; otherwise, the page doesn't wait for the count.
 */
export async function findRowsAndCount<Row extends object, Count>(
  db: Db,
  page: CompiledQuery<Row>,
  count: CompiledQuery<Count>,
): Promise<[Row[], Count]> {
  const pool = poolOf(db)
  const tables = pool && watchedIn(count.sql, await findWatchedTables(db))
  const counts = remembered.get(db)
  const key = keyOf(count)
  const known = counts?.get(key)
  if (!pool || !tables || !counts || !known)
    return Promise.all([db.executeQuery(page).then(({ rows }) => rows), cachedCountRow(db, count)])
  const [rows, marks] = await queryPipelined<[Row, { mark: string }]>(
    pool,
    [page.sql, page.parameters],
    [markStatement, [tables]],
  )
  const { mark } = marks[0]!
  const row = known.mark === mark ? (known.row as Count) : first(await db.executeQuery(count))
  keep(counts, key, { mark, row })
  return [rows, row]
}

const keyOf = ({ sql: text, parameters }: CompiledQuery) => `${text}\n${JSON.stringify(parameters)}`

/** Keeps a count as the last one that was used. */
function keep(counts: Map<string, Remembered>, key: string, count: Remembered): void {
  counts.delete(key)
  counts.set(key, count)
  if (counts.size > maxCachedCounts) counts.delete(counts.keys().next().value!)
}

/** Written as plain SQL, because it runs with every list and should not be rebuilt each time. */
const markStatement =
  'select coalesce(sum(mark), 0)::text as mark from table_writes where table_name = any($1::text[])'

const markOf = async (db: Db, tables: readonly string[]): Promise<string> =>
  first(await db.executeQuery(CompiledQuery.raw(markStatement, [tables]) as CompiledQuery<{ mark: string }>))
    .mark

/**
 * Returns the tables that a statement reads; null if any of them is not watched, or if the result depends on
 * the time.
 */
function watchedIn(text: string, watched: ReadonlySet<string>): readonly string[] | null {
  let tables = tablesOf.get(text)
  if (tables === undefined) {
    const named = [
      ...new Set([...text.matchAll(/\b(?:from|join)\s+"?([a-z_]+)"?/g)].map(([, name]) => name!)),
    ]
    const isSteady = !/\b(now\(|current_date|current_timestamp|from\s+"?\w+"?(\s+(as\s+)?"?\w+"?)?\s*,)/.test(
      text,
    )
    tables = isSteady && named.length > 0 && named.every((name) => watched.has(name)) ? named : null
    if (tablesOf.size < maxCachedCounts) tablesOf.set(text, tables)
  }
  return tables
}

const first = <Row>({ rows }: { rows: Row[] }): Row => rows[0]!
