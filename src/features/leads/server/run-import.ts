import { sql, type Transaction } from 'kysely'
import { setTimeout as wait } from 'node:timers/promises'
import type { PlainDate } from '#shared/dates.ts'
import { leadImports, type ImportMapping } from '#features/leads/contract.ts'
import { rejectedStatus, whyNotImport } from '#features/leads/rules.ts'
import { judgeRow, readRow, type Judgement } from '#features/leads/server/check-row.ts'
import { findChoices, type Choices } from '#features/leads/server/choices.queries.ts'
import { findMatches, findRowsBehind, findRowsToDo, lockImport, saveJudgements, setImport, type LockedImport } from '#features/leads/server/import.queries.ts'
import { toColumns } from '#features/leads/server/lead-columns.ts'
import type { FileRow } from '#features/leads/server/read-csv.ts'
import type { Database, Db } from '#server/db/db.ts'
import { writeAudit, type Change } from '#server/http/audit.ts'
import { conflict, invalid } from '#server/http/errors.ts'

const checkedAtOnce = 2000
const importedAtOnce = 200
const mostTroubles = 6

/**
 * The dry run: says of each row what would happen, and changes no lead.
 * @throws HttpError 422 when the mapping does not fit the file, 409 when the import has begun.
 */
export async function checkImport(db: Transaction<Database>, held: LockedImport, mapping: ImportMapping): Promise<void> {
  if (held.state !== 'uploaded' && held.state !== 'checked') throw conflict('This import has begun already.')
  const why = mapping.columns.length === held.headers.length ? whyNotImport(mapping.columns) : `The file has ${held.headers.length} columns.`
  if (why) throw invalid('columns', why)

  const mapped = { ...held, mapping }
  const choices = await findChoices(db)
  const earlier = new Map<string, number>()
  for (let line = 0; ;) {
    const rows = await findRowsBehind(db, held.id, line, checkedAtOnce)
    if (!rows.length) break
    await saveJudgements(db, held.id, await judge(db, mapped, rows, choices, earlier, false), false)
    line = rows.at(-1)!.line
  }
  await setImport(db, held.id, { state: 'checked', mapping })
}

async function judge(
  db: Db,
  held: LockedImport,
  rows: readonly FileRow[],
  choices: Choices,
  earlier: Map<string, number>,
  lock: boolean,
): Promise<Judgement[]> {
  const read = rows.map(({ line, cells }) => ({ line, read: readRow(cells, held.headers, held.mapping.columns, choices) }))
  const matches = await findMatches(db, held, read, lock)
  return read.map((row) => judgeRow(row.line, row.read, matches.get(row.line), earlier))
}

/** Takes a checked import, or one that failed on its way, for a run. @throws HttpError 409 when it is not the time for one. */
export async function beginImport(db: Db, held: LockedImport): Promise<void> {
  if (held.state === 'uploaded') throw conflict('Please do the dry run first.')
  if (held.state === 'running') throw conflict('This import is running already.')
  if (held.state === 'done') throw conflict('This import is done already.')
  await setImport(db, held.id, { state: 'running' })
}

export interface Progress {
  staff_id: number
  /** The leads that this step entered or changed. */
  lead_ids: number[]
  finished: boolean
}

/**
 * Does what is left of an import that runs, piece by piece; may be called again after a crash, or twice at once.
 * A piece that meets trouble (a lost connection, a lead that somebody holds) is tried again; then the import waits, as failed, for another run.
 * @param tell hears of each piece after it is stored
 */
export async function runImport(db: Db, id: number, today: () => PlainDate, tell: (progress: Progress) => void): Promise<void> {
  for (let troubles = 0; ;) {
    try {
      const progress = await db.transaction().execute((tx) => importPiece(tx, id, today()))
      if (!progress) return
      tell(progress)
      if (progress.finished) return
      troubles = 0
    } catch (error) {
      troubles += 1
      if (troubles === mostTroubles) {
        await db.updateTable('lead_imports').set({ state: 'failed' }).where('id', '=', id).where('state', '=', 'running').execute()
        throw error
      }
      await wait(troubles * 200)
    }
  }
}

/** The next rows, judged by the leads of this moment; leads, audit and outcomes are one transaction. Undefined when the import does not run. */
export async function importPiece(db: Transaction<Database>, id: number, today: PlainDate): Promise<Progress | undefined> {
  const held = await lockImport(db, id)
  if (held?.state !== 'running') return undefined
  // Two files with the same companies, run at once, would each not find the other's.
  await sql`select pg_advisory_xact_lock(hashtext('lead-import'), ${held.mapping.lead_for})`.execute(db)
  const rows = await findRowsToDo(db, id, importedAtOnce)
  if (!rows.length) {
    await setImport(db, id, { state: 'done' })
    return { staff_id: held.staff_id, lead_ids: [], finished: true }
  }
  const judgements = await judge(db, held, rows, await findChoices(db), new Map(), true)
  const changes = [...(await enterLeads(db, held, judgements, today)), ...(await updateLeads(db, judgements))]
  if (changes.length)
    await writeAudit(
      db,
      { staff_id: held.staff_id, endpoint: `${leadImports.run.method} ${leadImports.run.path}`, address: '', request_id: `import ${id}` },
      changes,
    )
  await saveJudgements(db, id, judgements, true)
  return { staff_id: held.staff_id, lead_ids: changes.map((change) => change.id), finished: false }
}

/** Enters the new leads of a piece, writes their ids into the judgements, and answers what to write down. */
async function enterLeads(db: Db, { mapping, staff_id }: LockedImport, judgements: Judgement[], today: PlainDate): Promise<Change[]> {
  const creating = judgements.filter(({ outcome }) => outcome === 'create')
  if (!creating.length) return []
  const leads = creating.map(({ values }) => ({ lead_date: today, ...values!, lead_for: mapping.lead_for, lead_type: mapping.lead_type }))
  const entered = await db
    .insertInto('leads')
    .values(leads.map((lead) => ({ ...toColumns(lead), company_name: lead.companyName!, lead_for: mapping.lead_for, created_by: staff_id })))
    .returning('lead_id')
    .execute()
  return creating.map((judgement, index) => {
    judgement.lead_id = entered[index]!.lead_id
    return { target: 'lead', id: judgement.lead_id, after: leads[index]! }
  })
}

async function updateLeads(db: Db, judgements: readonly Judgement[]): Promise<Change[]> {
  const changes: Change[] = []
  for (const { values, before } of judgements) {
    if (!values || !before) continue
    const leavesRejection = values.status !== undefined && before.status === rejectedStatus
    await db
      .updateTable('leads')
      .set({ ...toColumns(leavesRejection ? { ...values, reject_msg: null } : values), version: before.version + 1, updated_at: sql<string>`now()` })
      .where('lead_id', '=', before.lead_id)
      .execute()
    const was = Object.fromEntries(Object.keys(values).map((field) => [field, before[field as keyof typeof before]]))
    changes.push({ target: 'lead', id: before.lead_id, before: was, after: values })
  }
  return changes
}
