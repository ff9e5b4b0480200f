import { sql } from 'kysely'
import type { ListEntry, ListName } from '#features/admin/lists/contract.ts'
import type { Db } from '#server/db/db.ts'
import type { OptionList, OptionLists } from '#server/record/option-lists.ts'

/** Acquires the lock that serializes changes to the lists. */
export async function lockLists(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('lists'))`.execute(db)
}

export async function findList(db: Db, list: OptionList): Promise<ListEntry[]> {
  const { table, key, toned, isPipeline, fixed = {} } = list
  const { rows } = await sql<
    Omit<ListEntry, 'fixed'>
  >`select ${sql.ref(key)}::text as key, name::text as name, ${toned ? sql.ref('tone') : sql`null`} as tone,
    ${isPipeline ? sql.ref('probability') : sql`null`} as probability,
    ${isPipeline ? sql.ref('stuck_days') : sql`null`} as stuck_days,
    ${isPipeline ? sql.ref('for_demo') : sql`null`} as for_demo
    from ${sql.table(table)} order by position, name`.execute(db)
  return rows.map((row) => ({ ...row, fixed: fixed[row.key] ?? null }))
}

/** Returns the entries of these lists, by their names. */
export async function findLists(
  db: Db,
  lists: OptionLists,
  names: readonly ListName[],
): Promise<Record<ListName, ListEntry[]>> {
  const found = await Promise.all(
    names.map(async (name) => [name, await findList(db, lists.get(name))] as const),
  )
  return Object.fromEntries(found) as Record<ListName, ListEntry[]>
}

/** Appends an entry. A list that was never reordered stays alphabetical. */
export async function addEntry(
  db: Db,
  list: OptionList,
  name: string,
  tone: string | undefined,
): Promise<void> {
  const { table, toned } = list
  const position = sql`(select case when bool_or(position <> 0) then greatest(max(position) + 1, 0) else 0 end from ${sql.table(table)})`
  const [column, value] = toned ? [sql`, tone`, sql`, ${tone ?? 'gray'}`] : [sql``, sql``]
  await sql`insert into ${sql.table(table)} (name, position ${column})
    values (${name}, coalesce(${position}, 0) ${value})`.execute(db)
}

/** Longer statement timeout, because the name may be stored in many leads. */
const renameTimeout = '60s'

/** Renames an entry, along with the copies of its name in records. */
export async function renameEntry(db: Db, list: OptionList, entry: ListEntry, name: string): Promise<void> {
  const { table, key, cascadeRename } = list
  await sql`set local statement_timeout = ${sql.lit(renameTimeout)}`.execute(db)
  await sql`update ${sql.table(table)} set name = ${name} where ${sql.ref(key)}::text = ${entry.key}`.execute(
    db,
  )
  if (cascadeRename) await cascadeRename(entry.name, name).execute(db)
}

export async function setTone(db: Db, list: OptionList, entry: ListEntry, tone: string): Promise<void> {
  const { table, key } = list
  await sql`update ${sql.table(table)} set tone = ${tone} where ${sql.ref(key)}::text = ${entry.key}`.execute(
    db,
  )
}

/** The figures of a status of leads; entries of other lists have none. */
export type Figures = Partial<Pick<ListEntry, 'probability' | 'stuck_days' | 'for_demo'>>

export async function setFigures(
  db: Db,
  { table, key }: OptionList,
  entry: ListEntry,
  { probability = entry.probability, stuck_days = entry.stuck_days, for_demo = null }: Figures,
): Promise<void> {
  // Each kind of demo has one status.
  if (for_demo !== null)
    await sql`update ${sql.table(table)} set for_demo = null
      where for_demo = ${for_demo} and ${sql.ref(key)}::text <> ${entry.key}`.execute(db)
  await sql`update ${sql.table(table)} set probability = ${probability}, stuck_days = ${stuck_days}, for_demo = ${for_demo} where ${sql.ref(key)}::text = ${entry.key}`.execute(
    db,
  )
}

/** Stores the order of the entries. Positions are negative, so that entries added later sort last. */
export async function putInOrder(db: Db, list: OptionList, keys: readonly string[]): Promise<void> {
  const { table, key } = list
  await sql`update ${sql.table(table)} as l set position = o.ordinal - ${keys.length + 1}
    from unnest(${[...keys]}::text[]) with ordinality as o (key, ordinal) where ${sql.ref(`l.${key}`)}::text = o.key`.execute(
    db,
  )
}

/** Returns the number of records that use each entry, as text: one query after the other, to leave connections to others. */
export async function findUses(db: Db, list: OptionList): Promise<Record<string, string>> {
  const uses: Record<string, string> = {}
  for (const { key } of await findList(db, list)) {
    const { count } = (await list.used(key).execute(db)).rows[0]!
    uses[key] = count === 0 ? 'Not used' : `${count} ${list.usedBy[count === 1 ? 0 : 1]} it`
  }
  return uses
}

/**
 * Returns the number of records that use an entry, as text; undefined if none do. Locks the entry, so that
 * new uses wait.
 */
export async function whereUsed(db: Db, list: OptionList, entry: ListEntry): Promise<string | undefined> {
  const { table, key, used, usedBy } = list
  await sql`select from ${sql.table(table)} where ${sql.ref(key)}::text = ${entry.key} for update`.execute(db)
  await sql`set local statement_timeout = ${sql.lit(renameTimeout)}`.execute(db)
  const count = (await used(entry.key).execute(db)).rows[0]!.count
  return count === 0 ? undefined : `${count} ${count === 1 ? usedBy[0] : usedBy[1]} “${entry.name}”.`
}

export async function removeEntry(db: Db, list: OptionList, entry: ListEntry): Promise<void> {
  const { table, key } = list
  await sql`delete from ${sql.table(table)} where ${sql.ref(key)}::text = ${entry.key}`.execute(db)
}
