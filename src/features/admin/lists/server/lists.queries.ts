import { sql, type RawBuilder } from 'kysely'
import { listNames, type ListEntry, type ListName } from '#features/admin/lists/contract.ts'
import { rejectedStatus } from '#features/crm/leads/rules.ts'
import type { Database, Db } from '#server/db/db.ts'

interface Stored {
  table: string
  /** The column that identifies an entry: an ID, or the name that records store. */
  key: 'id' | 'name'
  toned?: true
  /** Entries that the code or a column default refers to, with the reason why they cannot be removed. */
  fixed?: Record<string, string>
  /**
   * Builds the query that counts the records that use an entry; `usedBy` contains the singular and plural
   * wording for the count.
   */
  used: (key: string) => RawBuilder<{ count: number }>
  usedBy: [one: string, many: string]
  /** Cascades a rename to records that are not updated by a foreign key. */
  cascadeRename?: (from: string, to: string) => RawBuilder<unknown>
}

/** Builds a query that counts the rows of a table that have the entry in a column. */
const usedIn =
  (table: keyof Database, column: string, by: 'id' | 'name' = 'id') =>
  (key: string) =>
    sql<{
      count: number
    }>`select count(*) as count from ${sql.table(table)} where ${sql.ref(column)} = ${by === 'id' ? Number(key) : key}`
const byLeads: [string, string] = ['lead uses', 'leads use']

/** How each list is stored and used. */
const listTables: Record<ListName, Stored> = {
  statuses: {
    table: 'lead_statuses',
    key: 'id',
    toned: true,
    fixed: { '1': 'New leads start with this status.', [rejectedStatus]: 'Rejected leads get this status.' },
    used: usedIn('leads', 'status'),
    usedBy: byLeads,
  },
  colors: {
    table: 'lead_colors',
    key: 'id',
    toned: true,
    fixed: { '0': 'New leads start with this priority.' },
    used: usedIn('leads', 'color'),
    usedBy: byLeads,
  },
  services: {
    table: 'lead_services',
    key: 'name',
    used: usedIn('leads', 'services', 'name'),
    usedBy: byLeads,
  },
  sources: {
    table: 'lead_sources',
    key: 'name',
    used: usedIn('leads', 'hear_about', 'name'),
    usedBy: byLeads,
  },
  cog_types: {
    table: 'lead_cog_types',
    key: 'name',
    used: (key) =>
      sql<{ count: number }>`select count(*) as count from leads where cog_types @> array[${key}]`,
    usedBy: byLeads,
    cascadeRename: (from, to) =>
      sql`update leads set cog_types = array_replace(cog_types, ${from}, ${to}) where cog_types @> array[${from}]`,
  },
  tags: {
    table: 'lead_tags',
    key: 'id',
    used: usedIn('lead_tag_links', 'tag_id'),
    usedBy: byLeads,
  },
  session_types: {
    table: 'session_types',
    key: 'name',
    used: usedIn('lead_demos', 'type', 'name'),
    usedBy: ['session uses', 'sessions use'],
  },
  questions: {
    table: 'prospection_questions',
    key: 'id',
    used: usedIn('lead_prospection_answers', 'question_id'),
    usedBy: ['lead has answered', 'leads have answered'],
  },
  quick_task_types: {
    table: 'quick_task_types',
    key: 'id',
    toned: true,
    fixed: { '1': 'New quick tasks start with this type.' },
    used: usedIn('quick_tasks', 'type'),
    usedBy: ['quick task uses', 'quick tasks use'],
  },
  onboarding_stages: {
    table: 'onboarding_stages',
    key: 'id',
    used: (key) =>
      sql<{ count: number }>`select count(*) as count from onboardings o where o.stage = ${Number(key)}
        or exists (select from onboarding_steps s where s.onboarding_id = o.id and s.stage = ${Number(key)})`,
    usedBy: ['onboarding uses', 'onboardings use'],
  },
  ticket_statuses: {
    table: 'ticket_statuses',
    key: 'id',
    toned: true,
    fixed: {
      '0': 'New tickets start with this status.',
      '2': 'Tickets moved to development get this status.',
    },
    used: usedIn('tickets', 'status'),
    usedBy: ['ticket uses', 'tickets use'],
  },
  ticket_categories: {
    table: 'ticket_categories',
    key: 'id',
    toned: true,
    fixed: { '1': 'New tickets start with this category.' },
    used: usedIn('tickets', 'category'),
    usedBy: ['ticket uses', 'tickets use'],
  },
  board_lists: {
    table: 'board_lists',
    key: 'id',
    used: usedIn('tickets', 'list_id'),
    usedBy: ['ticket is in', 'tickets are in'],
  },
  notification_types: {
    table: 'notification_types',
    key: 'id',
    toned: true,
    fixed: { '1': 'New notifications start with this type.' },
    used: usedIn('notifications', 'type'),
    usedBy: ['notification uses', 'notifications use'],
  },
  teams: {
    table: 'teams',
    key: 'id',
    used: usedIn('team_members', 'team_id'),
    usedBy: ['admin user is in', 'admin users are in'],
  },
  customer_roles: {
    table: 'customer_roles',
    key: 'id',
    fixed: { '3': 'New users start with this role.' },
    used: usedIn('customer_users', 'role_id'),
    usedBy: ['user has', 'users have'],
  },
  contract_statuses: {
    table: 'contract_statuses',
    key: 'id',
    toned: true,
    fixed: { '1': 'New contracts start with this status.' },
    used: usedIn('customer_contracts', 'status'),
    usedBy: ['contract uses', 'contracts use'],
  },
}

/** Acquires the lock that serializes changes to the lists. */
export async function lockLists(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('lists'))`.execute(db)
}

export async function findList(db: Db, list: ListName): Promise<ListEntry[]> {
  const { table, key, toned, fixed = {} } = listTables[list]
  const { rows } = await sql<
    Omit<ListEntry, 'fixed'>
  >`select ${sql.ref(key)}::text as key, name::text as name, ${toned ? sql.ref('tone') : sql`null`} as tone
    from ${sql.table(table)} order by position, name`.execute(db)
  return rows.map((row) => ({ ...row, fixed: fixed[row.key] ?? null }))
}

export async function findLists(db: Db): Promise<Record<ListName, ListEntry[]>> {
  const found = await Promise.all(listNames.map(async (list) => [list, await findList(db, list)] as const))
  return Object.fromEntries(found) as Record<ListName, ListEntry[]>
}

/** Appends an entry. A list that was never reordered stays alphabetical. */
export async function addEntry(
  db: Db,
  list: ListName,
  name: string,
  tone: string | undefined,
): Promise<void> {
  const { table, toned } = listTables[list]
  const position = sql`(select case when bool_or(position <> 0) then greatest(max(position) + 1, 0) else 0 end from ${sql.table(table)})`
  if (toned)
    await sql`insert into ${sql.table(table)} (id, name, tone, position)
      values ((select coalesce(max(id), 0) + 1 from ${sql.table(table)}), ${name}, ${tone ?? 'gray'}, coalesce(${position}, 0))`.execute(
      db,
    )
  else
    await sql`insert into ${sql.table(table)} (name, position) values (${name}, coalesce(${position}, 0))`.execute(
      db,
    )
}

/** Longer statement timeout, because the name may be stored in many leads. */
const renameTimeout = '60s'

/** Renames an entry, along with the copies of its name in records. */
export async function renameEntry(db: Db, list: ListName, entry: ListEntry, name: string): Promise<void> {
  const { table, key, cascadeRename } = listTables[list]
  await sql`set local statement_timeout = ${sql.lit(renameTimeout)}`.execute(db)
  await sql`update ${sql.table(table)} set name = ${name} where ${sql.ref(key)}::text = ${entry.key}`.execute(
    db,
  )
  if (cascadeRename) await cascadeRename(entry.name, name).execute(db)
}

export async function setTone(db: Db, list: ListName, entry: ListEntry, tone: string): Promise<void> {
  const { table, key } = listTables[list]
  await sql`update ${sql.table(table)} set tone = ${tone} where ${sql.ref(key)}::text = ${entry.key}`.execute(
    db,
  )
}

/** Stores the order of the entries. Positions are negative, so that entries added later sort last. */
export async function putInOrder(db: Db, list: ListName, keys: readonly string[]): Promise<void> {
  const { table, key } = listTables[list]
  await sql`update ${sql.table(table)} as l set position = o.ordinal - ${keys.length + 1}
    from unnest(${[...keys]}::text[]) with ordinality as o (key, ordinal) where ${sql.ref(`l.${key}`)}::text = o.key`.execute(
    db,
  )
}

/**
 * Returns the number of records that use an entry, as text; undefined if none do. Locks the entry, so that
 * new uses wait.
 */
export async function whereUsed(db: Db, list: ListName, entry: ListEntry): Promise<string | undefined> {
  const { table, key, used, usedBy } = listTables[list]
  await sql`select from ${sql.table(table)} where ${sql.ref(key)}::text = ${entry.key} for update`.execute(db)
  await sql`set local statement_timeout = ${sql.lit(renameTimeout)}`.execute(db)
  const count = (await used(entry.key).execute(db)).rows[0]!.count
  return count === 0 ? undefined : `${count} ${count === 1 ? usedBy[0] : usedBy[1]} “${entry.name}”.`
}

export async function removeEntry(db: Db, list: ListName, entry: ListEntry): Promise<void> {
  const { table, key } = listTables[list]
  await sql`delete from ${sql.table(table)} where ${sql.ref(key)}::text = ${entry.key}`.execute(db)
}

/** Reports whether `name` is a list whose entries are referenced by ID. */
export const isOptionList = (name: string): name is ListName =>
  Object.hasOwn(listTables, name) && listTables[name as ListName].key === 'id'
export const tableOf = (list: ListName): Pick<Stored, 'table' | 'toned'> => listTables[list]
