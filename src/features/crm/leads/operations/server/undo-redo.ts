import { sql } from 'kysely'
import type { Viewer } from '#shared/endpoint.ts'
import type { UndoDirection } from '#shared/operations.ts'
import type { ChangedSince } from '#features/crm/leads/operations/contract.ts'
import { mostAtOnce } from '#features/crm/leads/operations/rules.ts'
import {
  findChangedSince,
  findRestorable,
  clearSkipped,
  getReference,
  touchesOthers,
  undoOrRedoBatch,
} from '#features/crm/leads/operations/server/operations.queries.ts'
import type { Db } from '#server/db/db.ts'
import { notAllowed } from '#server/http/errors.ts'
import type { Jobs } from '#server/jobs.ts'
import { setState } from '#server/record/operations.ts'
import type { RecordKind, UndoResult } from '#server/record/rows.ts'

/** Job queue for operations that continue in the background. */
export const leadQueue = 'lead-operation'

/** Undoes or redoes an operation on leads, in the background if it changed more than a thousand. */
export const undoOrRedoLeadOperation =
  (jobs: Jobs): NonNullable<RecordKind['undoOrRedoOperation']> =>
  async ({ db, viewer, record, changed }, { id, state, changed: many }, way) => {
    if (await touchesOthers(db, id, viewer.products))
      throw notAllowed('You can’t do this because it affects leads for a product you don’t have access to.')
    const operation = await getReference(db, id)
    const [going, gone] = way === 'undo' ? (['undoing', 'undone'] as const) : (['redoing', 'done'] as const)
    changed('lead-operations', [id])
    const refused = way === 'undo' ? await explainNothingToUndo(db, id, viewer) : undefined
    if (refused) return { ...refused, turned: 0, operation }
    await sql`savepoint turn`.execute(db)
    if (way === 'redo') await clearSkipped(db, id)
    if (many > mostAtOnce) {
      await setState(db, id, going, viewer.id)
      await jobs.send(db, leadQueue, { id })
      record({ target: 'lead-operation', id, before: { state }, after: { state: going } })
      const words = way === 'undo' ? 'undone' : 'redone'
      return {
        turned: 0,
        skipped: [],
        operation,
        message: `This is being ${words} in the background. You can leave this page.`,
      }
    }
    await sql`set local statement_timeout = '30s'`.execute(db)
    const changes = (await undoOrRedoBatch(db, id, viewer.id, way, mostAtOnce)) ?? []
    const { data, total, barred } = await findChangedSince(db, { id, state: 'undone' }, viewer)
    // If no lead could be changed, the operation keeps its state, so that it can be attempted again.
    if (changes.length || total === 0) {
      await setState(db, id, gone, viewer.id)
      record({ target: 'lead-operation', id, before: { state }, after: { state: gone } })
    } else await sql`rollback to savepoint turn`.execute(db)
    for (const change of changes) record(change)
    if (changes.length)
      changed(
        'leads',
        changes.map((change) => change.id),
        changes.flatMap(({ before }) => productOf(before)),
      )
    return {
      turned: changes.length,
      skipped: namesOf(data),
      operation,
      message: inWords(way, changes.length, total - barred, barred),
    }
  }

const productOf = (before: { lead_for?: number } | undefined) => before?.lead_for ?? []

const namesOf = (skipped: readonly ChangedSince[]) =>
  skipped.map(({ companyName, who, why }) => `${companyName} (${why ?? who})`)

/**
 * Returns the leads that an undo would skip, with a message, if it would restore none; undefined if it would
 * restore some.
 */
async function explainNothingToUndo(
  db: Db,
  id: number,
  viewer: Viewer,
): Promise<Pick<UndoResult, 'skipped' | 'message'> | undefined> {
  const { restorable, undo_first } = await findRestorable(db, id)
  if (restorable > 0) return undefined
  const { data, total, barred } = await findChangedSince(db, { id, state: 'done' }, viewer)
  if (total === 0) return undefined
  const leads = total === 1 ? 'the lead was' : `all ${total.toLocaleString('en-US')} leads were`
  const why = barred === total ? 'no lead can be restored.' : `${leads} changed since then.`
  const first = undo_first ? ` Undo “${undo_first.summary}” first.` : ''
  return { skipped: namesOf(data), message: `Nothing was undone: ${why}${first}` }
}

function inWords(way: UndoDirection, turned: number, since: number, barred: number): string {
  const leads = turned === 1 ? '1 lead' : `${turned.toLocaleString('en-US')} leads`
  const done = way === 'undo' ? `Undone: ${leads} restored.` : `Redone: ${leads} changed.`
  const left =
    since === 0
      ? ''
      : ` ${since === 1 ? 'One was skipped because it has' : `${since} were skipped because they have`} changed since then.`
  return `${done}${left}${barred === 0 ? '' : ` ${barred === 1 ? 'One' : barred} can’t be restored.`}`
}
