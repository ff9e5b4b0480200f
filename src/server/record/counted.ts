import { CompiledQuery } from 'kysely'
import type { Db } from '#server/db/db.ts'

/*
 * An exact count of a million rows takes a tenth of a second and changes only when somebody writes. So it is remembered together with
 * what the database knows of writes (migration 0041), and counted again as soon as that differs: docs/decisions/012-counts-are-remembered.md.
 */

/** The tables whose writes the database notes; a test holds this against its triggers. */
export const watchedTables: ReadonlySet<string> = new Set([
  'articles',
  'customer_contracts',
  'customer_users',
  'onboardings',
  'organization_products',
  'organizations',
  'post_comments',
  'post_tag_links',
  'quick_tasks',
  'task_organizations',
  'tasks',
  'tickets',
])

interface Remembered {
  mark: string
  row: unknown
}
const most = 500
const remembered = new WeakMap<Db, Map<string, Remembered>>()
const tablesOf = new Map<string, readonly string[] | null>()

/**
 * The one row of counts that a query answers, remembered until one of its tables is written to, by any process.
 * A query that names another table, or the time, is asked each time; so is one within a transaction, which sees what nobody else does.
 */
export async function countedRow<Row>(db: Db, query: CompiledQuery<Row>): Promise<Row> {
  const tables = db.isTransaction ? null : watchedIn(query.sql)
  if (!tables) return first(await db.executeQuery(query))
  const counts = remembered.get(db) ?? new Map<string, Remembered>()
  remembered.set(db, counts)
  const key = `${query.sql}\n${JSON.stringify(query.parameters)}`
  // The mark first: a write between the two makes the count newer than its mark, which costs one count too many and never one too few.
  const mark = await markOf(db, tables)
  const known = counts.get(key)
  counts.delete(key)
  const row = known?.mark === mark ? (known.row as Row) : first(await db.executeQuery(query))
  counts.set(key, { mark, row })
  if (counts.size > most) counts.delete(counts.keys().next().value!)
  return row
}

/** Written out: it is asked with each list, so it is not built each time. */
const markStatement = 'select coalesce(sum(mark), 0)::text as mark from table_writes where table_name = any($1::text[])'

const markOf = async (db: Db, tables: readonly string[]): Promise<string> =>
  first(await db.executeQuery(CompiledQuery.raw(markStatement, [tables]) as CompiledQuery<{ mark: string }>)).mark

/** The tables that a statement reads; null where one is not watched, or where the time decides. */
function watchedIn(text: string): readonly string[] | null {
  let tables = tablesOf.get(text)
  if (tables === undefined) {
    const named = [...new Set([...text.matchAll(/\b(?:from|join)\s+"?([a-z_]+)"?/g)].map(([, name]) => name!))]
    const isSteady = !/\b(now\(|current_date|current_timestamp|from\s+"?\w+"?(\s+(as\s+)?"?\w+"?)?\s*,)/.test(text)
    tables = isSteady && named.length > 0 && named.every((name) => watchedTables.has(name)) ? named : null
    if (tablesOf.size < most) tablesOf.set(text, tables)
  }
  return tables
}

const first = <Row>({ rows }: { rows: Row[] }): Row => rows[0]!
