import { sql, type RawBuilder } from 'kysely'
import type { Viewer } from '#shared/endpoint.ts'
import type { ReversibleOperation } from '#shared/record.contract.ts'
import { isRecordType, mayReadType } from '#shared/records.ts'
import {
  actions,
  logsPerPage,
  mostCounted,
  recordFields,
  type AuditEntry,
  type AuditFilters,
  type AuditRow,
} from '#features/admin/logs/contract.ts'
import { seesTarget } from '#features/admin/logs/server/audit-scope.ts'
import { labelOfField, wordingOf } from '#features/admin/logs/server/audit-fields.ts'
import type { Db } from '#server/db/db.ts'
import type { Database } from '#server/db/tables.ts'
import { notFound } from '#server/http/errors.ts'
import { conditionsOf, dayEnd, dayStart, findPage, handledElsewhere, wordsOf } from '#server/record/list.ts'
import type { MailAccess } from '#server/mail/access.ts'
import type { OptionLists } from '#server/record/option-lists.ts'
import { findNames } from '#server/record/names.ts'
import type { AccessOf } from '#server/record/operations.ts'
import { findReversible } from '#server/record/reversible.ts'
import { idOf, scopeOf, type RecordKind } from '#server/record/rows.ts'

/** The reader of the log, and the record kinds and emails, whose scopes decide which entries the reader sees. */
interface Reader {
  viewer: Viewer
  kinds: readonly RecordKind[]
  mail: MailAccess
}
export interface Reading extends Reader {
  optionLists: OptionLists
}

/** Returns the SQL condition for a row of the log, whose alias is the parameter. */
type Condition = (row: 'a' | 'b') => RawBuilder<unknown>

async function matching(db: Db, filters: Partial<AuditFilters>, reading: Reading): Promise<Condition> {
  const [hasSearch, seen] = await Promise.all([
    findMatches(db, filters.search, reading),
    findVisible(db, reading),
  ])
  return (row) => {
    const column = (name: string) => sql.ref(`${row}.${name}`)
    const conditions = conditionsOf<AuditFilters>(filters, {
      search: handledElsewhere,
      request: (id) => sql`${column('request_id')} = ${id} and ${column('request_id')} <> ''`,
      action: (action) =>
        sql`${column('act')} like any(${actions[action].starts.map((start) => `${start}%`)}::text[])`,
      staff_id: (id) => sql`${column('staff_id')} = ${id}`,
      area: (area) => sql`${column('target_type')} = ${area}`,
      record: (id) => sql`${column('target_id')} = ${id} and ${column('target_type')} is not null`,
      from: (from) => sql`${column('at')} >= ${dayStart(from, reading.viewer)}`,
      to: (to) => sql`${column('at')} < ${dayEnd(to, reading.viewer)}`,
    })
    return sql.join([...conditions, hasSearch(row), seen(row)], sql` and `)
  }
}

/** Returns the condition for rows about records and products that the viewer can see. */
export async function findVisible(db: Db, reader: Reader): Promise<Condition> {
  const { viewer } = reader
  const { count } = await db
    .selectFrom('products')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('id', 'not in', [...viewer.products, 0])
    .executeTakeFirstOrThrow()
  // Viewers with access to every product skip the per-row check.
  if (count === 0) return () => sql`true`
  return (row) => seesTarget(reader, { type: `${row}.target_type`, id: `${row}.target_id` })
}

type Searched = { [T in keyof Database]: 'search' extends keyof Database[T] ? T : never }[keyof Database]
/** Tables of records that a search of the log finds by name; admin users are found as the authors of changes. */
const searched: ReadonlySet<string> = new Set([
  'article_categories',
  'articles',
  'customer_contracts',
  'customer_users',
  'faqs',
  'leads',
  'notifications',
  'onboardings',
  'organizations',
  'post_tags',
  'quick_tasks',
  'saved_replies',
  'tasks',
  'tickets',
] satisfies Searched[])
/** A word finds the changes of at most this many records of each type. */
const mostFound = 500

interface Found {
  type: string
  ids: number[]
}

/** Returns the condition that each word is in a value, in the record's name, or in the author's name. */
async function findMatches(db: Db, search: string | undefined, reading: Reading): Promise<Condition> {
  if (!search) return () => sql`true`
  const words = await Promise.all(
    wordsOf(search).map(async (word) => ({ word, found: await findNamed(db, word, reading) })),
  )
  return (row) => {
    const column = (name: string) => sql.ref(`${row}.${name}`)
    return sql.join(
      words.map(({ word, found }) => {
        const named = found.map(({ type, ids }) =>
          type === ''
            ? sql`${column('staff_id')} = any(${ids}::int[])`
            : sql`(${column('target_type')} = ${sql.lit(type)} and ${column('target_id')} = any(${ids}::bigint[]))`,
        )
        return sql`(${sql.join([sql`${column('search')} like search_pattern(${word})`, ...named], sql` or `)})`
      }),
      sql` and `,
    )
  }
}

/** Finds admin users (of type '') and records that the viewer can see by a word of their names. */
async function findNamed(db: Db, word: string, { kinds, viewer }: Reading): Promise<Found[]> {
  const wanted = kinds.filter(({ type, table }) => searched.has(table) && mayReadType(type, viewer))
  const parts = [
    sql`select '' as type, array(select id from staff where search_text(name) like search_pattern(${word})) as ids`,
    ...wanted.map((kind) => {
      const own = sql.ref(`r.${idOf(kind)}`)
      return sql`select ${sql.lit(kind.type)}, array(select ${own} from ${sql.table(kind.table)} r
        where r.search like search_pattern(${word}) and ${scopeOf(kind, viewer)} limit ${mostFound})`
    }),
  ]
  const { rows } = await sql<Found>`${sql.join(parts, sql` union all `)}`.execute(db)
  return rows.filter(({ ids }) => ids.length > 0)
}

type Logged = Omit<AuditRow, 'name'>
type Stored = Omit<Logged, 'changes'> & { changes: Record<string, [unknown, unknown]> }
const columns =
  sql.raw(`a.id, a.at, coalesce(s.name, 'System') as who, a.staff_id, a.act, a.endpoint, coalesce(a.target_type, '') as area,
  a.target_id as record, a.changes, a.address, a.request_id`)
const from = sql`from audit_log a left join staff s on s.id = a.staff_id`

/** The other changes `b` of the request of a change `a`, of the same kind. */
const sameChange = sql.raw(`b.request_id = a.request_id and b.request_id <> '' and b.act = a.act
  and b.staff_id is not distinct from a.staff_id and b.target_type = a.target_type`)

/** Returns a page of the log. The changes of a request to records of one type are one row. */
export async function findAudit(db: Db, filters: AuditFilters, reading: Reading) {
  const where = await matching(db, filters, reading)
  const isFirst = filters.request
    ? sql`true`
    : sql`not exists (select from audit_log b where ${sameChange} and b.id < a.id and b.target_id <> a.target_id and ${where('b')})`
  const changed = filters.request
    ? sql`1`
    : sql`(select count(*) from (select from audit_log b where ${sameChange} and (b.target_id <> a.target_id or b.id = a.id)
        and ${where('b')} limit ${mostCounted}) one)`
  const wanted = sql`${where('a')} and ${isFirst}`
  const found = await findPage(
    db,
    filters.page,
    logsPerPage,
    (limit) =>
      sql<Stored>`select ${columns}, greatest(${changed}, 1) as changed ${from} where ${wanted}
        order by a.id desc ${limit}`,
    sql`from audit_log a where ${wanted}`,
    mostCounted,
  )
  return { ...found, data: await withNames(db, found.data, reading) }
}

/**
 * Returns a change with what else its request changed.
 * @throws HttpError 404 if it doesn't exist for the viewer.
 */
export async function findEntry(
  db: Db,
  id: number,
  reading: Reading & { accessOf: AccessOf },
): Promise<AuditEntry> {
  const where = await matching(db, {}, reading)
  const changed = sql`(select count(*) from (select from audit_log b where ${sameChange}
    and (b.target_id <> a.target_id or b.id = a.id) and ${where('b')} limit ${mostCounted}) one)`
  const { rows } = await sql<Stored>`select ${columns}, greatest(${changed}, 1) as changed ${from}
    where a.id = ${id} and ${where('a')}`.execute(db)
  const [row] = rows
  if (!row) throw notFound('Entry not found.')
  const others = await sql<Stored>`select ${columns}, 1 as changed ${from}
    where a.request_id = ${row.request_id} and a.request_id <> '' and a.id <> ${id}
      and (a.target_type is distinct from ${row.area} or a.act <> ${row.act} or a.target_id = ${row.record})
      and ${where('a')} order by a.id limit 20`.execute(db)
  const [entry, ...caused] = await withNames(db, [row, ...others.rows], reading)
  const [operation, in_trash] = await Promise.all([
    findOperationOf(db, row, reading),
    isInTrash(db, row, reading),
  ])
  return { ...entry!, caused, operation, in_trash }
}

/** Returns the operation that made a change, if the viewer can undo or redo it. */
async function findOperationOf(
  db: Db,
  { id, area, record }: Stored,
  { viewer, kinds, accessOf }: Reading & { accessOf: AccessOf },
): Promise<ReversibleOperation | null> {
  const kind = kinds.find(({ type }) => type === area)
  if (!kind || !mayReadType(kind.type, viewer)) return null
  const { rows } = await sql<{ id: number | null }>`select max(o.id) as id from audit_log a
    join operations o on o.at = a.at and o.staff_id = a.staff_id join (
      select operation_id from record_changes where record_type = ${area} and record_id = ${record}
      union select operation_id from part_changes where record_type = ${area} and record_id = ${record}
    ) c on c.operation_id = o.id where a.id = ${id}`.execute(db)
  const operation = rows[0]?.id
  if (!operation) return null
  const found = await findReversible(db, kind, sql`${record}::int`, { viewer, accessOf }, [operation])
  return found.get(operation) ?? null
}

async function isInTrash(db: Db, { area, record }: Stored, { kinds }: Reading): Promise<boolean> {
  const kind = kinds.find(({ type }) => type === area)
  if (!kind) return false
  const { rows } = await sql`select from ${sql.table(kind.table)} r
    where ${sql.ref(`r.${idOf(kind)}`)} = ${record} and r.deleted_at is not null`.execute(db)
  return rows.length > 0
}

/** Adds the names of the records that rows and their values refer to. */
async function withNames(db: Db, rows: readonly Stored[], reading: Reading): Promise<AuditRow[]> {
  const { kinds, viewer, optionLists } = reading
  const own = rows.map(({ area, record }) => ({ type: area, id: record }))
  const referred = rows.flatMap(({ changes }) => referencesOf(changes))
  const nameOf = await findNames(db, kinds, [...own, ...referred], viewer)
  const changes = rows.flatMap((row) => Object.keys(row.changes).map((field) => ({ area: row.area, field })))
  const wording = await wordingOf(db, changes, { optionLists, products: viewer.products }, nameOf)
  return rows.map((row) => ({
    ...row,
    name: nameOf(row.area, row.record) ?? null,
    changes: Object.entries(row.changes).map(([field, [before, after]]) => ({
      field,
      label: labelOfField(row.area, field),
      before,
      after,
      before_words: wording(row.area, field, before) ?? null,
      after_words: wording(row.area, field, after) ?? null,
    })),
  }))
}

const isId = (value: unknown): value is number => Number.isSafeInteger(value)

const referencesOf = (changes: Stored['changes']): { type: string; id: number }[] =>
  Object.entries(changes).flatMap(([field, values]) => {
    const type = recordFields[field]
    if (!isRecordType(type)) return []
    return values
      .flatMap((value) => (Array.isArray(value) ? value : [value]))
      .filter(isId)
      .map((id) => ({ type, id }))
  })

/** Compiles the query for all matching rows, for the export. */
export const allAudit = async (db: Db, filters: AuditFilters, reading: Reading) =>
  sql<Stored>`select ${columns} ${from}
    where ${(await matching(db, filters, reading))('a')} order by a.id desc`.compile(db)
