import { sql, type Transaction } from 'kysely'
import { can } from '#shared/access.ts'
import type { PlainDate } from '#shared/dates.ts'
import type { StopReason } from '#shared/operations.ts'
import { leadImports, type ImportFindings } from '#features/crm/leads/import/contract.ts'
import type { ImportMapping } from '#features/crm/leads/import/mapping.contract.ts'
import { rejectedStatus, withoutReason } from '#features/crm/leads/rules.ts'
import { demandMapping } from '#features/crm/leads/import/server/demand-mapping.ts'
import { findLists } from '#features/crm/leads/import/server/lists.queries.ts'
import { judge } from '#features/crm/leads/import/server/judge.ts'
import { winsWithout, type Judgement } from '#features/crm/leads/import/server/judge-row.ts'
import type { UnknownWord } from '#features/crm/leads/import/server/read-row.ts'
import { createTags } from '#features/crm/leads/import/server/new-tags.ts'
import {
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
import type { Database, Db } from '#server/db/db.ts'
import { writeAudit, type Change } from '#server/http/audit.ts'
import { inBatches } from '#server/jobs/in-batches.ts'
import { conflict } from '#server/http/errors.ts'
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
 * @param zone the importer's time zone, if it is known
 * @throws HttpError 422 if the mapping does not match the file, 409 if the import has started.
 */
export async function checkImport(
  db: Transaction<Database>,
  held: LockedImport,
  mapping: ImportMapping,
  zone?: string,
): Promise<void> {
  if (held.state !== 'uploaded' && held.state !== 'checked')
    throw conflict('This import has already started.')
  const lists = await findLists(db, mapping.lead_for)
  const mapped = { ...held, mapping, zone: zone ?? held.zone }
  demandMapping(mapped, lists)
  const earlier = new Map<string, number>()
  const findings = new Findings()
  let wins_without = 0
  for (let line = 0; ;) {
    const rows = await findRowsAfter(db, held.id, line, checkedAtOnce)
    if (!rows.length) break
    const judgements = await judge(db, mapped, rows, lists, { earlier, lock: false })
    await saveJudgements(db, held.id, judgements, false)
    wins_without += judgements.filter((one) => winsWithout(one, lists)).length
    findings.add(judgements)
    line = rows.at(-1)!.line
  }
  await setImport(db, held.id, { state: 'checked', mapping, wins_without, zone, findings: findings.found() })
}

/** At most this many names are shown. */
const mostNames = 50

/** Sums up what a preview finds. */
class Findings {
  #tags = new Map<string, string>()
  #people = new Map<string, string>()
  #words = new Map<string, ImportFindings['unknown_words'][number]>()
  #duplicates = 0

  add(judgements: readonly Judgement[]): void {
    for (const { new_tags = [], unknown_person, unknown_words = [], is_possible_duplicate } of judgements) {
      for (const word of unknown_words) this.#countWord(word)
      for (const tag of new_tags) this.#note(this.#tags, tag)
      if (unknown_person !== undefined) this.#note(this.#people, unknown_person)
      if (is_possible_duplicate) this.#duplicates += 1
    }
  }

  #note(names: Map<string, string>, name: string): void {
    const key = name.toLowerCase()
    if (names.size < mostNames && !names.has(key)) names.set(key, name)
  }

  #countWord({ field, word }: UnknownWord): void {
    const key = `${field} ${word.toLowerCase()}`
    const known = this.#words.get(key)
    if (known) known.rows += 1
    else if (this.#words.size < mostNames) this.#words.set(key, { field, word, rows: 1 })
  }

  found(): ImportFindings {
    return {
      unknown_words: [...this.#words.values()].toSorted((one, other) => other.rows - one.rows),
      new_tags: [...this.#tags.values()],
      unknown_people: [...this.#people.values()],
      possible_duplicates: this.#duplicates,
    }
  }
}

/**
 * Starts a run of an import that has been previewed, or continues one that stopped, as this user.
 * @throws HttpError 409 in any other state.
 */
export async function beginImport(
  db: Db,
  held: LockedImport,
  { staff_id, today, zone }: { staff_id: number; today?: PlainDate | undefined; zone?: string | undefined },
): Promise<void> {
  if (held.state === 'uploaded') throw conflict('Preview the import before you run it.')
  if (held.state === 'running') throw conflict('This import is already running.')
  if (held.state === 'done') throw conflict('This import is already complete.')
  await setImport(db, held.id, { state: 'running', run_by: staff_id, today, zone })
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
  const lists = await findLists(db, held.mapping.lead_for)
  const judgements = await judge(db, held, rows, lists, { earlier: new Map(), lock: true })
  const tags = await createTags(db, judgements)
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
      [...tags, ...changes],
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
