import { sql } from 'kysely'
import type { UndoDirection } from '#shared/operations.ts'
import { mostAtOnce } from '#features/crm/leads/operations/rules.ts'
import {
  findChangedSince,
  clearSkipped,
  getReference,
  touchesOthers,
  undoOrRedoBatch,
} from '#features/crm/leads/operations/server/operations.queries.ts'
import { notAllowed } from '#server/http/errors.ts'
import type { Jobs } from '#server/jobs.ts'
import { setState } from '#server/record/operations.ts'
import type { RecordKind } from '#server/record/rows.ts'

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
    await setState(db, id, gone, viewer.id)
    for (const change of changes) record(change)
    record({ target: 'lead-operation', id, before: { state }, after: { state: gone } })
    if (changes.length)
      changed(
        'leads',
        changes.map((change) => change.id),
      )
    const { data, total, barred } = await findChangedSince(db, { id, state: 'undone' }, viewer)
    return {
      turned: changes.length,
      skipped: data.map(({ companyName, who, why }) => `${companyName} (${why ?? who})`),
      operation,
      message: inWords(way, changes.length, total - barred, barred),
    }
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
