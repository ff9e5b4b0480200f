import { sql } from 'kysely'
import { isAdminRole } from '#shared/access.ts'
import type { PlainDate } from '#shared/dates.ts'
import type { Viewer } from '#shared/endpoint.ts'
import type { StopReason } from '#shared/operations.ts'
import type { Import, ImportMapping, ImportOutcome, ImportRow } from '#features/crm/leads/import/contract.ts'
import type { ColumnValue } from '#features/crm/leads/import/rules.ts'
import type { Judgement, Match, ReadRow } from '#features/crm/leads/import/server/check-row.ts'
import { findFields } from '#features/crm/leads/custom-fields/server/custom-fields.queries.ts'
import { guessColumns } from '#features/crm/leads/import/server/guess-mapping.ts'
import { readCell, type FileRow } from '#features/crm/leads/import/server/table-file.ts'
import type { ReadFile } from '#features/crm/leads/import/server/read-file.ts'
import type { Db } from '#server/db/db.ts'
import type { Leads } from '#server/db/tables.ts'
import { notFound } from '#server/http/errors.ts'

const insertAtOnce = 2000

/** Stores a file with a guessed column mapping; returns the import's ID. */
export async function storeImport(
  db: Db,
  file: ReadFile & { name: string },
  lead_for: number,
  staff_id: number,
): Promise<number> {
  const orders = file.dateForms.map((form) => (form === 'day' || form === 'month' ? form : null))
  const mapping: ImportMapping = {
    lead_for,
    lead_type: 1,
    columns: guessColumns(file.headers, await findFields(db, [lead_for])),
    ...(orders.some(Boolean) ? { date_orders: orders } : {}),
  }
  const { id } = await db
    .insertInto('lead_imports')
    .values({
      staff_id,
      file_name: file.name,
      read_as: file.readAs,
      headers: JSON.stringify(file.headers),
      mapping: JSON.stringify(mapping),
      date_forms: JSON.stringify(file.dateForms),
      row_count: file.rows.length,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (let start = 0; start < file.rows.length; start += insertAtOnce) {
    const rows = JSON.stringify(file.rows.slice(start, start + insertAtOnce))
    await sql`insert into lead_import_rows (import_id, line, cells) select ${id}, line, cells from jsonb_to_recordset(${rows}) as r(line int, cells jsonb)`.execute(
      db,
    )
  }
  return id
}

/**
 * Limits imports to the viewer's products and, unless the viewer is an admin, to the viewer's own imports.
 */
const visibleTo = (viewer: Viewer) =>
  sql`(i.mapping->>'lead_for')::int = any(${viewer.products}) and ${isAdminRole(viewer.role_id) ? sql`true` : sql`i.staff_id = ${viewer.id}`}`

const importColumns =
  sql.raw(`i.id, i.file_name, i.read_as, i.state, i.headers, i.row_count, i.date_forms, i.mapping, i.wins_without, i.created_at, i.finished_at, i.operation_id,
  (select s.name from staff s where s.id = i.staff_id) as who,
  (select coalesce(json_agg(r.cells order by r.line), '[]') from (select line, cells from lead_import_rows where import_id = i.id order by line limit 5) r) as sample,
  (select json_object_agg(o.outcome, o.rows) from (select outcome, count(*) as rows from lead_import_rows where import_id = i.id and outcome is not null group by outcome) o) as found,
  i.row_count - (select count(*) from lead_import_rows where import_id = i.id and done_at is null) as rows_done,
  case when i.state = 'failed' then json_build_object(
    'line', (select coalesce(min(line) filter (where done_at is null), max(line)) from lead_import_rows where import_id = i.id),
    'reason', coalesce(i.stop_reason, 'error'),
    'who', (select s.name from staff s where s.id = coalesce(i.run_by, i.staff_id))) end as stopped`)

type Found = Omit<Import, 'counts'> & { found: Partial<Import['counts']> | null }
const withCounts = ({ found, ...rest }: Found): Import => ({
  ...rest,
  counts: found && { create: 0, update: 0, duplicate: 0, error: 0, ...found },
})

/** @throws HttpError 404 if the import does not exist or belongs to another user. */
export async function getImport(db: Db, id: number, viewer: Viewer): Promise<Import> {
  const { rows } =
    await sql<Found>`select ${importColumns} from lead_imports i where i.id = ${id} and ${visibleTo(viewer)}`.execute(
      db,
    )
  if (!rows[0]) throw notFound('Import not found.')
  return withCounts(rows[0])
}

/** Returns the last twenty imports, newest first. */
export async function findImports(db: Db, viewer: Viewer): Promise<Import[]> {
  const { rows } =
    await sql<Found>`select ${importColumns} from lead_imports i where ${visibleTo(viewer)} order by i.id desc limit 20`.execute(
      db,
    )
  return rows.map(withCounts)
}

export interface LockedImport {
  id: number
  /** The user as whom it runs: the one who started or continued it, or until then, the one who uploaded it. */
  staff_id: number
  state: Import['state']
  headers: string[]
  mapping: ImportMapping
  date_forms: Import['date_forms']
  file_name: string
  operation_id: number | null
  /** The importer's date, set once the import has been started from a browser. */
  today: PlainDate | null
  /** Whether that user can change existing leads. */
  may_edit: boolean
}

/**
 * Locks an import, so that other checks and runs of the same import wait; undefined if the import does not
 * exist.
 */
export async function lockImport(db: Db, id: number): Promise<LockedImport | undefined> {
  const { rows } =
    await sql<LockedImport>`select id, coalesce(run_by, staff_id) as staff_id, state, headers, mapping, date_forms, file_name, operation_id, to_char(today, 'YYYY-MM-DD') as today,
      exists (select from staff s join role_permissions g on g.role_id = s.role_id where s.id = coalesce(i.run_by, i.staff_id) and g.permission = 'lead_edit') as may_edit
    from lead_imports i where id = ${id} for update of i`.execute(db)
  return rows[0]
}

export async function setImport(
  db: Db,
  id: number,
  change: {
    state: Import['state']
    mapping?: ImportMapping
    wins_without?: number
    stop_reason?: StopReason
    run_by?: number
    today?: PlainDate | undefined
  },
): Promise<void> {
  const { state, mapping, wins_without, stop_reason = null, run_by, today } = change
  await db
    .updateTable('lead_imports')
    .set({
      state,
      mapping: mapping && JSON.stringify(mapping),
      wins_without,
      stop_reason,
      run_by,
      today,
      finished_at: state === 'done' ? sql<string>`now()` : null,
    })
    .where('id', '=', id)
    .execute()
}

/** Returns the next rows of the file after a given line. */
export function findRowsAfter(db: Db, import_id: number, line: number, limit: number): Promise<FileRow[]> {
  return rowsOf(db, import_id).where('line', '>', line).limit(limit).execute()
}

/** Returns the next unprocessed rows. */
export function findRowsToDo(db: Db, import_id: number, limit: number): Promise<FileRow[]> {
  return rowsOf(db, import_id).where('done_at', 'is', null).limit(limit).execute()
}

/**
 * Returns the different values of a column that aren’t empty, as an import reads them, those of most rows first.
 * @param column the position of the column; the first one is 0
 */
export async function findColumnValues(db: Db, import_id: number, column: number): Promise<ColumnValue[]> {
  const { rows } = await sql<ColumnValue>`select cells ->> ${column}::int as value, count(*)::int as rows
    from lead_import_rows where import_id = ${import_id} and cells ->> ${column}::int <> ''
    group by 1 order by count(*) desc, min(line)`.execute(db)
  return rows
    .map(({ value, rows: count }) => ({ value: readCell(value), rows: count }))
    .filter(({ value }) => value !== '')
}

const rowsOf = (db: Db, import_id: number) =>
  db
    .selectFrom('lead_import_rows')
    .select(['line', sql<string[]>`cells`.as('cells')])
    .where('import_id', '=', import_id)
    .orderBy('line')

/** Stores what would happen to rows or, with `done`, what did happen. */
export async function saveJudgements(
  db: Db,
  import_id: number,
  judgements: readonly Judgement[],
  done: boolean,
): Promise<void> {
  const rows = JSON.stringify(
    judgements.map(({ line, outcome, reason, lead_id }) => ({ line, outcome, reason, lead_id })),
  )
  await sql`update lead_import_rows r set outcome = j.outcome, reason = j.reason, lead_id = j.lead_id, done_at = ${done ? sql`now()` : sql`null`}
    from jsonb_to_recordset(${rows}) as j(line int, outcome text, reason text, lead_id int) where r.import_id = ${import_id} and r.line = j.line`.execute(
    db,
  )
}

/** The column of a lead for each property of a match. */
const matchColumns = {
  lead_id: 'lead_id',
  version: 'version',
  status: 'status',
  reject_msg: 'reject_msg',
  companyName: 'company_name',
  contactName: 'contact_name',
  email: 'email',
  phone: 'phone',
  country: 'country',
  company_url: 'company_url',
  reference: 'reference',
  lead_date: 'lead_date',
  request_date: 'request_date',
  followup_date: 'followup_date',
  services: 'services',
  hear_about: 'hear_about',
  additional_info: 'additional_info',
  answer: 'answer',
  join: 'join',
  amount: 'amount',
  currency: 'currency',
  recurring: 'recurring',
  expected_close: 'expected_close',
  details: 'details',
  custom_values: 'custom_values',
  organization_id: 'organization_id',
} as const satisfies Partial<Record<keyof Match, keyof Leads>>

const matchSelection = sql.join(
  Object.entries(matchColumns).map(([name, column]) => sql`${sql.ref(`l.${column}`)} as ${sql.ref(name)}`),
)

/**
 * Returns a product's existing leads that have the same key as a row, indexed by the row's line number. The
 * key is the number, the reference or, without these, the company name and email address. If this import has already
 * written to a lead, the result includes the first line that did. The lead with the number of a row can be in another
 * product or in the trash; `refusal` then says so.
 * @param lock for a run: locks leads that are matched by number or reference between comparing and writing
 */
export async function findMatches(
  db: Db,
  { id, mapping, staff_id }: LockedImport,
  rows: readonly { line: number; read: ReadRow }[],
  lock: boolean,
): Promise<Map<number, Match>> {
  const leads = rows.flatMap(({ line, read: { lead } }) => (lead ? [{ line, lead }] : []))
  const withKey = leads
    .filter(({ lead }) => lead.number === undefined && lead.reference !== undefined)
    .map(({ line, lead }) => ({ line, reference: lead.reference }))
  const without = leads
    .filter(({ lead }) => lead.number === undefined && lead.reference === undefined)
    .map(({ line, lead }) => ({ line, company: lead.companyName, email: lead.email ?? '' }))
  const withNumber = leads
    .filter(({ lead }) => lead.number !== undefined)
    .map(({ line, lead }) => ({ line, number: lead.number, reference: lead.reference ?? null }))
  const touched = sql`(select min(r.line) from lead_import_rows r where r.lead_id = l.lead_id and r.import_id = ${id} and r.done_at is not null) as line`
  type Found = Match & { of: number }
  const byKey = withKey.length
    ? await sql<Found>`select k.line as of, ${matchSelection}, ${touched} from jsonb_to_recordset(${JSON.stringify(withKey)}) as k(line int, reference text)
        join leads l on l.lead_for = ${mapping.lead_for} and l.reference = k.reference and l.deleted_at is null ${lock ? sql`for update of l` : sql``}`.execute(
        db,
      )
    : { rows: [] }
  const byName = without.length
    ? await sql<Found>`select k.line as of, ${matchSelection}, ${touched} from jsonb_to_recordset(${JSON.stringify(without)}) as k(line int, company text, email text)
        join leads l on l.lead_for = ${mapping.lead_for} and lower(l.company_name) = lower(k.company) and lower(l.email) = lower(k.email) and l.deleted_at is null order by k.line, l.lead_id desc`.execute(
        db,
      )
    : { rows: [] }
  const byNumber = withNumber.length
    ? await sql<Found>`select k.line as of, ${matchSelection}, ${touched}, ${refusalOf(mapping.lead_for)} as refusal
        from jsonb_to_recordset(${JSON.stringify(withNumber)}) as k(line int, number int, reference text)
        join leads l on l.lead_id = k.number join products p on p.id = l.lead_for
        where exists (select from staff_products s where s.staff_id = ${staff_id} and s.product_id = l.lead_for) ${lock ? sql`for update of l` : sql``}`.execute(
        db,
      )
    : { rows: [] }
  return new Map([...byNumber.rows, ...byKey.rows, ...byName.rows].map(({ of, ...match }) => [of, match]))
}

/** SQL for why a row can't change the lead that has its number; null if it can. */
const refusalOf = (product: number) => sql`case
  when l.lead_for <> ${product} then 'Lead ' || l.lead_id || ' belongs to ' || p.name || '. Import it there.'
  when l.deleted_at is not null then 'Lead ' || l.lead_id || ' is in the trash. Restore it first.'
  when exists (select from leads o where o.lead_for = l.lead_for and o.reference = k.reference and o.lead_id <> l.lead_id and o.deleted_at is null)
    then 'External ID: Another lead has this external ID.' end`

export const importRowsPerPage = 100

/** Returns what would happen or did happen to each row, in file order; empty before the first preview. */
export async function findImportRows(
  db: Db,
  { id, mapping }: Import,
  page: number,
  outcome: ImportOutcome | undefined,
): Promise<{ data: ImportRow[]; total: number; per_page: number }> {
  let matching = db.selectFrom('lead_import_rows').where('import_id', '=', id)
  matching =
    outcome === undefined
      ? matching.where('outcome', 'is not', null)
      : matching.where('outcome', '=', outcome)
  const company = mapping.columns.indexOf('companyName')
  const [data, { total }] = await Promise.all([
    matching
      .select([
        'line',
        sql<ImportOutcome>`outcome`.as('outcome'),
        'reason',
        'lead_id',
        sql<string>`case when ${company}::int < 0 then '' else coalesce(cells ->> ${company}::int, '') end`.as(
          'company',
        ),
      ])
      .orderBy('line')
      .limit(importRowsPerPage)
      .offset((page - 1) * importRowsPerPage)
      .execute(),
    matching.select((of) => of.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ])
  return { data, total, per_page: importRowsPerPage }
}

/** Returns the failed rows exactly as they are in the file. */
export function findFailedRows(
  db: Db,
  import_id: number,
  behindLine: number,
  limit: number,
): Promise<(FileRow & { reason: string })[]> {
  return rowsOf(db, import_id)
    .select('reason')
    .where('outcome', '=', 'error')
    .where('line', '>', behindLine)
    .limit(limit)
    .execute()
}
