import { sql } from 'kysely'
import { isAdminRole, type Permission } from '#shared/access.ts'
import type { PlainDate } from '#shared/dates.ts'
import type { Viewer } from '#shared/endpoint.ts'
import type { StopReason } from '#shared/operations.ts'
import type { Import, ImportFindings, ImportOutcome, ImportRow } from '#features/crm/leads/import/contract.ts'
import type { ImportMapping } from '#features/crm/leads/import/mapping.contract.ts'
import type { ColumnValue } from '#features/crm/leads/import/rules.ts'
import type { Judgement } from '#features/crm/leads/import/server/judge-row.ts'
import { findFields } from '#features/crm/leads/custom-fields/server/custom-fields.queries.ts'
import { guessColumns } from '#features/crm/leads/import/server/guess-mapping.ts'
import { findRememberedWords } from '#features/crm/leads/import/server/remembered-words.ts'
import { readCell, type FileRow } from '#features/crm/leads/import/server/table-file.ts'
import type { ReadFile } from '#features/crm/leads/import/server/read-file.ts'
import type { Db } from '#server/db/db.ts'
import { notFound } from '#server/http/errors.ts'

const insertAtOnce = 2000

/** Stores a file with a guessed column mapping, and what its words meant before; returns the import's ID. */
export async function storeImport(
  db: Db,
  file: ReadFile & { name: string },
  lead_for: number,
  { id: staff_id, zone }: { id: number; zone: string },
): Promise<number> {
  const orders = file.dateForms.map((form) => (form === 'day' || form === 'month' ? form : null))
  const words = await findRememberedWords(db, lead_for, file.rows)
  const mapping: ImportMapping = {
    lead_for,
    lead_type: 1,
    columns: guessColumns(file.headers, await findFields(db, [lead_for])),
    ...(orders.some(Boolean) ? { date_orders: orders } : {}),
    ...(words.length > 0 ? { words } : {}),
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
      decimal_forms: JSON.stringify(file.decimalForms),
      zone,
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
  sql.raw(`i.id, i.file_name, i.read_as, i.state, i.headers, i.row_count, i.date_forms, i.decimal_forms, i.mapping, i.wins_without, i.findings, i.zone, i.created_at, i.finished_at, i.operation_id,
  (select s.name from staff s where s.id = i.staff_id) as who,
  (select coalesce(json_agg(r.cells order by r.line), '[]') from (select line, cells from lead_import_rows where import_id = i.id order by line limit 5) r) as sample,
  (select json_object_agg(o.outcome, o.rows) from (select outcome, count(*) as rows from lead_import_rows where import_id = i.id and outcome is not null group by outcome) o) as found,
  i.row_count - (select count(*) from lead_import_rows where import_id = i.id and done_at is null) as rows_done,
  case when i.state = 'failed' then json_build_object(
    'line', (select coalesce(min(line) filter (where done_at is null), max(line)) from lead_import_rows where import_id = i.id),
    'reason', coalesce(i.stop_reason, 'error'),
    'who', (select s.name from staff s where s.id = coalesce(i.run_by, i.staff_id))) end as stopped`)

type Found = Omit<Import, 'counts' | keyof ImportFindings> & {
  found: Partial<Import['counts']> | null
  findings: Partial<ImportFindings>
}
const nothingFound: ImportFindings = {
  new_tags: [],
  unknown_people: [],
  unknown_words: [],
  possible_duplicates: 0,
}
const withCounts = ({ found, findings, ...rest }: Found): Import => ({
  ...rest,
  ...nothingFound,
  ...findings,
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
  decimal_forms: Import['decimal_forms']
  /** The importer's time zone. */
  zone: string
  file_name: string
  operation_id: number | null
  /** The importer's date, set once the import has been started from a browser. */
  today: PlainDate | null
  /** Whether that user can change existing leads. */
  may_edit: boolean
  /** Whether that user can set priorities. */
  may_prioritize: boolean
}

/** SQL for whether the user as whom an import runs has a permission. */
const mayRunner = (permission: Permission) =>
  sql`exists (select from staff s join role_permissions g on g.role_id = s.role_id where s.id = coalesce(i.run_by, i.staff_id) and g.permission = ${permission})`

const heldColumns = sql`id, coalesce(run_by, staff_id) as staff_id, state, headers, mapping, date_forms, decimal_forms, zone, file_name, operation_id, to_char(today, 'YYYY-MM-DD') as today,
    ${mayRunner('lead_edit')} as may_edit, ${mayRunner('lead_select_pripority')} as may_prioritize`

/**
 * Locks an import, so that other checks and runs of the same import wait; undefined if the import does not
 * exist.
 */
export async function lockImport(db: Db, id: number): Promise<LockedImport | undefined> {
  const { rows } =
    await sql<LockedImport>`select ${heldColumns} from lead_imports i where id = ${id} for update of i`.execute(
      db,
    )
  return rows[0]
}

/** Returns what `lockImport` does, without the lock, for a preview that changes nothing. */
export async function findHeld(db: Db, id: number): Promise<LockedImport | undefined> {
  const { rows } =
    await sql<LockedImport>`select ${heldColumns} from lead_imports i where id = ${id}`.execute(db)
  return rows[0]
}

export async function setImport(
  db: Db,
  id: number,
  change: {
    state: Import['state']
    mapping?: ImportMapping
    wins_without?: number
    findings?: ImportFindings
    zone?: string | undefined
    stop_reason?: StopReason
    run_by?: number
    today?: PlainDate | undefined
  },
): Promise<void> {
  const { state, mapping, wins_without, findings, zone, stop_reason = null, run_by, today } = change
  await db
    .updateTable('lead_imports')
    .set({
      state,
      mapping: mapping && JSON.stringify(mapping),
      wins_without,
      findings: findings && JSON.stringify(findings),
      zone,
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

export const importRowsPerPage = 100

/** Returns what would happen or did happen to each row, with its cells, in file order; empty before the first preview. */
export async function findImportRows(
  db: Db,
  { id, mapping }: Pick<Import, 'id' | 'mapping'>,
  page: number,
  outcome: ImportOutcome | undefined,
): Promise<{ rows: (Omit<ImportRow, 'values'> & FileRow)[]; total: number }> {
  let matching = db.selectFrom('lead_import_rows as r').where('import_id', '=', id)
  matching =
    outcome === undefined
      ? matching.where('outcome', 'is not', null)
      : matching.where('outcome', '=', outcome)
  const company = mapping.columns.indexOf('companyName')
  const [rows, { total }] = await Promise.all([
    matching
      .select([
        'line',
        sql<ImportOutcome>`outcome`.as('outcome'),
        'reason',
        'lead_id',
        sql<string[]>`cells`.as('cells'),
        sql<string>`coalesce(case when ${company}::int >= 0 then nullif(cells ->> ${company}::int, '') end,
          (select l.company_name from leads l where l.lead_id = r.lead_id), '')`.as('company'),
      ])
      .orderBy('line')
      .limit(importRowsPerPage)
      .offset((page - 1) * importRowsPerPage)
      .execute(),
    matching.select((of) => of.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ])
  return { rows, total }
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
