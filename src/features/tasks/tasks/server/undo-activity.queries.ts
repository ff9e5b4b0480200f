import { can } from '#shared/access.ts'
import {
  activityTypes,
  assigned,
  dateFields,
  datesOf,
  disciplineOf,
  moveTypeOf,
  onHold,
  setsRequiredDate,
  whyNotMove,
  whyNotStatus,
  type DisciplineName,
} from '#features/tasks/tasks/rules.ts'
import { addActivity } from '#features/tasks/tasks/server/activity.queries.ts'
import { notAllowed } from '#server/http/errors.ts'
import type { Row, Writing } from '#server/record/rows.ts'

const words = { undo: 'Undone.', redo: 'Redone.' } as const

/**
 * Records what an undo or redo did to a task, as the original action would: an existing due date never
 * changes without a reason.
 * @throws HttpError 403 if the viewer could not make this change directly.
 */
export async function recordUndoActivity(
  { db, viewer }: Pick<Writing, 'db' | 'viewer'>,
  discipline: DisciplineName,
  id: number,
  { from, to, way }: { from: Row; to: Row; way: 'undo' | 'redo' },
): Promise<void> {
  const comment = words[way]
  const now = new Date().toISOString()
  const told = { task_id: id, created_by: viewer.id }
  const day = (row: Row, field: string) => (row[field] ?? null) as string | null
  for (const field of dateFields) {
    if (!(field in to)) continue
    const type = moveTypeOf(field)
    const [old_date, new_date] = [day(from, field), day(to, field)]
    // Setting a first date or removing it is an edit; only changing an existing date counts as moving it.
    const isFirst = (way === 'undo' ? new_date : old_date) === null
    const why =
      type === undefined
        ? setsRequiredDate(viewer.role_id)
          ? undefined
          : 'You don’t have permission to set this date.'
        : isFirst && can(viewer, disciplineOf(discipline).edit) && datesOf(viewer.role_id).includes(field)
          ? undefined
          : whyNotMove(viewer, discipline, field)
    if (why !== undefined) throw notAllowed(why)
    if (type === undefined || old_date === new_date || isFirst) continue
    await db
      .insertInto('task_date_moves')
      .values({
        task_id: id,
        type,
        old_date,
        new_date,
        reason: comment,
        moved_by: viewer.id,
        moved_at: now,
        undoes: way === 'undo',
      })
      .execute()
    await addActivity(db, { ...told, type, due_date: new_date, comment, created_at: now })
  }
  if ('status' in to) {
    const why = whyNotStatus(viewer, discipline, from['status'] as number, to['status'] as number)
    // The Pending and Assigned statuses are determined by the assignee.
    if (why !== undefined && !('assigned_to' in to && [0, assigned].includes(to['status'] as number)))
      throw notAllowed(why)
    await addActivity(db, {
      ...told,
      type: to['status'] === onHold ? activityTypes.onHold : activityTypes.changeStatus,
      status: to['status'] as number,
      comment,
    })
  }
  if ('assigned_to' in to)
    await addActivity(db, {
      ...told,
      type: activityTypes.assign,
      assigned_to: (to['assigned_to'] ?? null) as number | null,
    })
}
