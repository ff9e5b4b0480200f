import { plainDate } from '#shared/dates.ts'
import { mayReadType, recordTypes } from '#shared/records.ts'
import { quickTasks, type QuickTask } from '#features/crm/quick-tasks/contract.ts'
import { mayEdit } from '#features/crm/quick-tasks/rules.ts'
import { startReminderPolling } from '#features/crm/quick-tasks/server/due.ts'
import { quickTaskKind, quickTaskReads } from '#features/crm/quick-tasks/server/quick-tasks.queries.ts'
import { invalid, notAllowed } from '#server/http/errors.ts'
import type { App, Handler } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import { usedIn } from '#server/record/option-lists.ts'
import { changeInBulk, inBackground, setValues } from '#server/record/batches.ts'
import { changeRecord, createRecord, isVisible, trashRecords } from '#server/record/record.ts'
import type { Writing } from '#server/record/rows.ts'

/** The record that a quick task is about. */
type About = Pick<QuickTask, 'entity' | 'entity_id'>

/** The values of a request that refer to others; a change can name a record's type or ID alone. */
type Sent = { person?: number | undefined } & { [Field in keyof About]?: About[Field] | undefined }

/**
 * @throws HttpError 422 for a banned assignee or a record that the caller cannot see; an unchanged
 * reference is accepted.
 */
async function assertPersonAndRecord(
  app: App,
  { db, viewer }: Writing,
  { person, ...sent }: Sent,
  before?: About,
): Promise<void> {
  const { entity = before?.entity ?? null, entity_id = before?.entity_id ?? null } = sent
  if (person !== undefined) {
    const found = await db
      .selectFrom('staff')
      .select('id')
      .where('id', '=', person)
      .where('banned_at', 'is', null)
      .executeTakeFirst()
    if (!found) throw invalid('person', 'This admin user doesn’t exist.')
  }
  if (!entity && !entity_id) return
  if (!entity) throw invalid('entity', 'Choose a record type.')
  if (!entity_id) throw invalid('entity_id', 'Choose a record.')
  if (before?.entity === entity && before.entity_id === entity_id) return
  const exists =
    mayReadType(entity, viewer) && (await isVisible(db, app.records.get(entity), entity_id, viewer))
  if (!exists) throw invalid('entity_id', `This ${recordTypes[entity].one} doesn’t exist.`)
}

const listQuickTasks: Handler<typeof quickTasks.list> = ({ query }, { db, viewer, clock }) =>
  quickTaskReads.page(db, query, { ...viewer, today: plainDate(clock.now()) })

const showQuickTask: Handler<typeof quickTasks.show> = async ({ params }, { db, viewer }) => ({
  data: await quickTaskReads.row(db, params.id, viewer),
})

const createQuickTask: Handler<typeof quickTasks.create> = async ({ body }, context) => {
  const { app } = context
  await assertPersonAndRecord(app, context, body)
  const { viewer } = context
  const id = await createRecord(context, quickTaskKind, {
    ...body,
    person: body.person ?? viewer.id,
    created_by: viewer.id,
  })
  return { message: 'Quick task created.', data: await quickTaskReads.row(context.db, id, viewer) }
}

const updateQuickTask: Handler<typeof quickTasks.update> = async (
  { params: { id }, body: { version, base, ...values } },
  context,
) => {
  const { app, db, viewer } = context
  const before = await quickTaskReads.row(db, id, viewer)
  if (!mayEdit(before, viewer)) throw notAllowed('Only admins and the task’s creator can edit it.')
  await assertPersonAndRecord(app, context, values, before)
  const current = () => quickTaskReads.row(db, id, viewer)
  const { operation } = await changeRecord(context, quickTaskKind, id, values, {
    stated: { version, base },
    current,
  })
  return { message: 'Quick task saved.', data: await current(), operation }
}

const markCompleted: Handler<typeof quickTasks.markCompleted> = async (
  { params: { id }, body: { status } },
  context,
) => {
  const { db, viewer, clock } = context
  const before = await quickTaskReads.row(db, id, viewer)
  const done = { status, completed_at: clock.now().toISOString(), completed_by: viewer.id }
  const values =
    status === before.status ? {} : status === 1 ? done : { status, completed_at: null, completed_by: null }
  const { operation } = await changeRecord(context, quickTaskKind, id, values, {
    summary: status === 1 ? 'Marked as done' : 'Reopened',
  })
  return {
    message: status === 1 ? 'Quick task marked as done.' : 'Quick task reopened.',
    data: await quickTaskReads.row(db, id, viewer),
    operation,
  }
}

const changeMany: Handler<typeof quickTasks.changeMany> = async (
  { body: { ids, status, due_date } },
  context,
) => {
  const done = { status, completed_at: context.clock.now().toISOString(), completed_by: context.viewer.id }
  const mark = status === 1 ? done : { status, completed_at: null, completed_by: null }
  const summary = status === undefined ? 'Due date changed' : status === 1 ? 'Marked as done' : 'Reopened'
  const { operation, running } = await changeInBulk(context, quickTaskKind, ids, {
    change: status === undefined ? setValues({ due_date }) : setValues(mark, { status }),
    summary,
  })
  const said = operation ? `${operation.summary}.` : 'No quick tasks were changed.'
  return { message: running ? inBackground : said, operation }
}

const changeDueDate: Handler<typeof quickTasks.snooze> = async ({ params: { id }, body }, context) => {
  const { operation } = await changeRecord(context, quickTaskKind, id, body, {
    summary: 'Due date changed',
  })
  return {
    message: 'Due date updated.',
    data: await quickTaskReads.row(context.db, id, context.viewer),
    operation,
  }
}

const removeQuickTask: Handler<typeof quickTasks.remove> = async ({ params }, context) => {
  const operation = await trashRecords(context, quickTaskKind, [params.id])
  return { message: `${operation.summary}.`, operation }
}

export function quickTaskRoutes(app: App): void {
  app.records.register(quickTaskKind)
  app.optionLists.register('quick_task_types', {
    table: 'quick_task_types',
    key: 'id',
    toned: true,
    fixed: { '1': 'New quick tasks start with this type.' },
    used: usedIn('quick_tasks', 'type'),
    usedBy: ['quick task uses', 'quick tasks use'],
  })
  app.jobs.onStart(() => startReminderPolling(app))
  implement(app, quickTasks.list, listQuickTasks)
  implement(app, quickTasks.show, showQuickTask)
  implement(app, quickTasks.create, createQuickTask)
  implement(app, quickTasks.update, updateQuickTask)
  implement(app, quickTasks.markCompleted, markCompleted)
  implement(app, quickTasks.changeMany, changeMany)
  implement(app, quickTasks.snooze, changeDueDate)
  implement(app, quickTasks.remove, removeQuickTask)
}
