import { sql, type Transaction } from 'kysely'
import { can } from '#shared/access.ts'
import type { PlainDate } from '#shared/dates.ts'
import type { StopReason } from '#shared/operations.ts'
import {
  customFieldOf,
  isCustomTarget,
  leadImports,
  needsOrder,
  takesDay,
  type ImportMapping,
} from '#features/crm/leads/import/contract.ts'
import { rejectedStatus, whyNotImport, withoutReason } from '#features/crm/leads/rules.ts'
import {
  judgeRow,
  readRow,
  winsWithout,
  type Judgement,
  type Lists,
} from '#features/crm/leads/import/server/check-row.ts'
import { findFields } from '#features/crm/leads/custom-fields/server/custom-fields.queries.ts'
import { findChoices } from '#features/crm/leads/record/server/choices.queries.ts'
import {
  findMatches,
  findRowsAfter,
  findRowsToDo,
  lockImport,
  saveJudgements,
  setImport,
  type LockedImport,
} from '#features/crm/leads/import/server/import.queries.ts'
import { contactWords } from '#features/crm/leads/contacts/rules.ts'
import { insertContact } from '#features/crm/leads/contacts/server/contacts.queries.ts'
import { rightOf } from '#features/crm/leads/operations.contract.ts'
import type { LeadValues } from '#features/crm/leads/record/server/lead-columns.ts'
import { leadKind } from '#features/crm/leads/record/server/leads.queries.ts'
import type { FileRow } from '#features/crm/leads/import/server/table-file.ts'
import type { Database, Db } from '#server/db/db.ts'
import { writeAudit, type Change } from '#server/http/audit.ts'
import { inBatches } from '#server/jobs/in-batches.ts'
import { conflict, invalid } from '#server/http/errors.ts'
import { nameOfEndpoint } from '#shared/endpoint.ts'
import { findViewer } from '#server/http/session.ts'
import { beginOperation } from '#server/record/operations.ts'
import { applyChanges, createRecords, storeCreated } from '#server/record/record.ts'
import { findRecords } from '#server/record/rows.ts'
import { toColumns } from '#server/record/values.ts'

const checkedAtOnce = 2000
const endpoint = nameOfEndpoint(leadImports.run)
const importedAtOnce = 200

/**
 * Creates the preview of an import: stores what would happen to each row and changes no leads.
 * @throws HttpError 422 if the mapping does not match the file, 409 if the import has started.
 */
export async function checkImport(
  db: Transaction<Database>,
  held: LockedImport,
  mapping: ImportMapping,
): Promise<void> {
  if (held.state !== 'uploaded' && held.state !== 'checked')
    throw conflict('This import has already started.')
  const why =
    mapping.columns.length === held.headers.length
      ? whyNotImport(mapping.columns)
      : `The file has ${held.headers.length} columns. Provide one mapping per column.`
  if (why) throw invalid('columns', why)
  const lists = await findLists(db, mapping.lead_for)
  const gone = held.headers.filter((_, index) => {
    const target = mapping.columns[index]!
    return isCustomTarget(target) && !customFieldOf(target, lists.custom_fields)
  })
  if (gone.length) throw invalid('columns', whyGone(gone))
  const unclear = held.headers.filter(
    (_, index) =>
      takesDay(mapping.columns[index]!, lists.custom_fields) &&
      needsOrder(held.date_forms[index]) &&
      !mapping.date_orders?.[index],
  )
  if (unclear.length) throw invalid('date_orders', whyNoOrder(unclear))

  const mapped = { ...held, mapping }
  const earlier = new Map<string, number>()
  let wins_without = 0
  for (let line = 0; ;) {
    const rows = await findRowsAfter(db, held.id, line, checkedAtOnce)
    if (!rows.length) break
    const judgements = await judge(db, mapped, rows, lists, earlier, false)
    await saveJudgements(db, held.id, judgements, false)
    wins_without += judgements.filter((one) => winsWithout(one, lists)).length
    line = rows.at(-1)!.line
  }
  await setImport(db, held.id, { state: 'checked', mapping, wins_without })
}

const named = (headers: readonly string[]) => headers.map((header) => `“${header}”`).join(' and ')

const whyNoOrder = (headers: readonly string[]) =>
  `Day first or month first? Choose the order of dates such as 03/04/2026 for ${named(headers)}.`

const whyGone = (headers: readonly string[]) =>
  `${named(headers)} can’t be imported: the custom field was deleted, or it belongs to another product. Choose another field.`

const findLists = async (db: Db, product: number): Promise<Lists> => ({
  ...(await findChoices(db)),
  custom_fields: await findFields(db, [product]),
})

async function judge(
  db: Db,
  held: LockedImport,
  rows: readonly FileRow[],
  lists: Lists,
  earlier: Map<string, number>,
  lock: boolean,
): Promise<Judgement[]> {
  const read = rows.map(({ line, cells }) => ({
    line,
    read: readRow(cells, held, lists),
  }))
  const matches = await findMatches(db, held, read, lock)
  return read.map((row) => judgeRow(row.line, row.read, matches.get(row.line), held.may_edit, lists, earlier))
}

/**
 * Starts a run of an import that has been previewed, or continues one that stopped, as this user.
 * @throws HttpError 409 in any other state.
 */
export async function beginImport(
  db: Db,
  held: LockedImport,
  { staff_id, today }: { staff_id: number; today?: PlainDate | undefined },
): Promise<void> {
  if (held.state === 'uploaded') throw conflict('Preview the import before you run it.')
  if (held.state === 'running') throw conflict('This import is already running.')
  if (held.state === 'done') throw conflict('This import is already complete.')
  await setImport(db, held.id, { state: 'running', run_by: staff_id, today })
  await beginOrResumeOperation(db, { ...held, staff_id })
}

/**
 * Begins the operation that can undo the import; a second run continues the first run's operation.
 * @throws HttpError 409 if that operation was undone.
 */
async function beginOrResumeOperation(
  db: Db,
  { id, staff_id, file_name, operation_id }: LockedImport,
): Promise<void> {
  if (operation_id === null) {
    const begun = await beginOperation(db, {
      type: leadKind.type,
      kind: 'import',
      staff_id,
      needs: rightOf.import,
      called: { endpoint, input: null },
      summary: `Imported ${file_name}`,
      running: true,
    })
    await db.updateTable('lead_imports').set({ operation_id: begun }).where('id', '=', id).execute()
    return
  }
  const { numUpdatedRows } = await db
    .updateTable('operations')
    .set({ state: 'running', stop_reason: null, stopped_by: null })
    .where('id', '=', operation_id)
    .where('undone_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw conflict('This import was undone. Upload the file again to import it.')
}

export interface Progress {
  staff_id: number
  /** Leads created or changed in this step. */
  lead_ids: number[]
  finished: boolean
}

/**
 * Processes the remaining rows of a running import in batches; safe to call after a crash, or twice
 * concurrently. A batch that fails (lost connection, locked lead) is retried. If it keeps failing, the import
 * is marked as failed until it is run again.
 * @param tell called after each batch is stored
 */
export async function runImport(
  db: Db,
  id: number,
  today: () => PlainDate,
  tell: (progress: Progress) => void,
): Promise<void> {
  await inBatches(() => db.transaction().execute((tx) => processImportBatch(tx, id, today())), {
    tell,
    giveUp: () => failImport(db, id),
  })
}

/**
 * Marks an import that cannot continue as failed: it can be run again, and the rows that were already
 * imported can be undone.
 */
const failImport = (db: Db, id: number) =>
  db.transaction().execute(async (tx) => {
    const held = await lockImport(tx, id)
    if (held?.state === 'running') await stopImport(tx, held, 'error')
  })

/** Stops imports whose job is gone, as after a restore: users can continue them. */
export async function stopUnfinishedImports(db: Db): Promise<void> {
  const running = await db.selectFrom('lead_imports').select('id').where('state', '=', 'running').execute()
  for (const { id } of running) await failImport(db, id)
}

async function stopImport(
  tx: Transaction<Database>,
  { id, staff_id, operation_id }: LockedImport,
  stop_reason: StopReason,
): Promise<void> {
  await setImport(tx, id, { state: 'failed', stop_reason })
  await tx
    .updateTable('operations')
    .set({ state: 'failed', stop_reason, stopped_by: staff_id })
    .where('id', '=', operation_id)
    .execute()
}

/** Returns why the user as whom an import runs could no longer start it; undefined if they could. */
async function findStopReason(db: Db, { staff_id, mapping }: LockedImport): Promise<StopReason | undefined> {
  const viewer = await findViewer(db, staff_id)
  if (!viewer) return 'account'
  if (!can(viewer, rightOf.import)) return 'permission'
  return viewer.products.includes(mapping.lead_for) ? undefined : 'product'
}

/**
 * Imports the next rows, judged against the current leads; leads, audit entries, and outcomes are written in
 * a single transaction. Returns undefined if the import is not running.
 */
export async function processImportBatch(
  db: Transaction<Database>,
  id: number,
  today: PlainDate,
): Promise<Progress | undefined> {
  const held = await lockImport(db, id)
  if (held?.state !== 'running') return undefined
  const stopped = await findStopReason(db, held)
  if (stopped) {
    await stopImport(db, held, stopped)
    return { staff_id: held.staff_id, lead_ids: [], finished: true }
  }
  // Without this lock, two concurrent imports of the same companies would not see each other's leads.
  await sql`select pg_advisory_xact_lock(hashtext('lead-import'), ${held.mapping.lead_for})`.execute(db)
  const rows = await findRowsToDo(db, id, importedAtOnce)
  if (!rows.length) {
    await setImport(db, id, { state: 'done' })
    await db.updateTable('operations').set({ state: 'done' }).where('id', '=', held.operation_id).execute()
    return { staff_id: held.staff_id, lead_ids: [], finished: true }
  }
  const judgements = await judge(db, held, rows, await findLists(db, held.mapping.lead_for), new Map(), true)
  const changes = [
    ...(await enterLeads(db, held, judgements, held.today ?? today)),
    ...(await updateLeads(db, held, judgements)),
  ]
  if (changes.length)
    await writeAudit(
      db,
      {
        staff_id: held.staff_id,
        endpoint,
        act: 'Imported from a file',
        address: '',
        request_id: `import ${id}`,
      },
      changes,
    )
  await saveJudgements(db, id, judgements, true)
  return { staff_id: held.staff_id, lead_ids: changes.map((change) => change.id), finished: false }
}

/**
 * Inserts a batch's new leads, sets their IDs in the judgments, and returns the changes for the audit log.
 */
async function enterLeads(
  db: Transaction<Database>,
  { mapping, staff_id, operation_id }: LockedImport,
  judgements: Judgement[],
  today: PlainDate,
): Promise<Change[]> {
  const creating = judgements.filter(({ outcome }) => outcome === 'create')
  if (!creating.length) return []
  const leads = creating.map(({ values }) => ({
    lead_date: today,
    ...toColumns(leadKind, values!),
    lead_for: mapping.lead_for,
    lead_type: mapping.lead_type,
  }))
  const changes: Change[] = []
  // The caller notifies lists about the whole batch.
  const creatingLeads = { db, audit: (change: Change) => changes.push(change), changed: () => {} }
  const ids = await createRecords(creatingLeads, leadKind, leads, { created_by: staff_id })
  for (const [index, id] of ids.entries()) creating[index]!.lead_id = id
  for (const { contact, lead_id } of creating)
    if (contact && lead_id !== null) {
      await insertContact(db, lead_id, contact)
      changes.push({ target: 'lead', id: lead_id, after: { contact: contactWords(contact) } })
    }
  // Imports that predate operations have none.
  if (operation_id !== null) await storeCreated(db, operation_id, leadKind, ids)
  return changes
}

async function updateLeads(
  db: Transaction<Database>,
  { operation_id, staff_id }: LockedImport,
  judgements: readonly Judgement[],
): Promise<Change[]> {
  const valuesOf = new Map<number, LeadValues>()
  for (const { values, before } of judgements) if (values && before) valuesOf.set(before.lead_id, values)
  if (!valuesOf.size) return []
  const rows = await findRecords(db, leadKind, [...valuesOf.keys()], undefined, { lock: true })
  const changes: Change[] = []
  await applyChanges(
    {
      db,
      viewer: { id: staff_id },
      called: { endpoint, input: null },
      audit: (change) => changes.push(change),
      changed: () => {},
    },
    leadKind,
    rows,
    (row) => {
      const values = valuesOf.get(row.id)!
      const leavesRejection = values.status !== undefined && row['status'] === rejectedStatus
      return { ...toColumns(leadKind, values), ...(leavesRejection ? withoutReason : {}) }
    },
    { kind: 'import', summary: '', within: operation_id },
  )
  return changes
}
