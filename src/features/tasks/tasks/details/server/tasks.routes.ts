import { can } from '#shared/access.ts'
import {
  anyTask,
  tasks,
  type NewTaskValues,
  type Task,
  type TaskQuery,
} from '#features/tasks/tasks/contract.ts'
import {
  activityTypes,
  assigned,
  dateFields,
  dateNames,
  datesOf,
  delivered,
  disciplineNames,
  disciplineOf,
  movableDates,
  moveTypeIds,
  moveTypeOf,
  moveTypes,
  onHold,
  pending,
  setsRequiredDate,
  statusName,
  tabsOf,
  whyNotMove,
  whyNotStatus,
  dueDateOfPanel,
  type DisciplineName,
  type MoveType,
} from '#features/tasks/tasks/rules.ts'
import { findActivity, addActivity } from '#features/tasks/tasks/server/activity.queries.ts'
import { demandFits, getTask } from '#features/tasks/tasks/details/server/details.queries.ts'
import {
  allTasks,
  demandKind,
  findTasks,
  findUnnotified,
  taskKind,
} from '#features/tasks/tasks/server/tasks.queries.ts'
import type { Viewer } from '#shared/endpoint.ts'
import { csvOf } from '#shared/field.ts'
import { taskFields } from '#features/tasks/tasks/fields.ts'
import { cleanHtml, imagesIn } from '#server/html/html-clean.ts'
import { invalid, notAllowed } from '#server/http/errors.ts'
import type { App, Handler } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import { replyCsv } from '#server/record/list.ts'
import { changeRecord, createRecord, lockRecord, trashRecords } from '#server/record/record.ts'
import type { RecordKind, Row } from '#server/record/rows.ts'
import { chooseFiles, setInlineImages } from '#server/files/record-files.ts'
import { linksFor } from '#server/files/signed-links.ts'

const showAnyTask: Handler<typeof anyTask.view> = async ({ params: { id } }, context) => {
  const { db, viewer } = context
  return { data: await getTask(db, await demandKind(db, id, viewer), id, viewer, linksFor(context)) }
}

const showDueDates: Handler<typeof anyTask.currentDueDate> = async ({ params: { id } }, { db, viewer }) => {
  const { due_date, dev_due_date, adh_due_date, req_due_date, moves } = await getTask(
    db,
    await demandKind(db, id, viewer),
    id,
    viewer,
  )
  return { due_date, dev_due_date, adh_due_date, req_due_date, moves }
}

const listUnnotified: Handler<typeof anyTask.unnotified> = (_input, { db, viewer }) =>
  findUnnotified(
    db,
    viewer,
    disciplineNames.filter((name) => can(viewer, disciplineOf(name).view)),
  )

export function taskRoutes(app: App): void {
  for (const discipline of disciplineNames) routesOf(app, discipline)
  implement(app, anyTask.view, showAnyTask)
  implement(app, anyTask.currentDueDate, showDueDates)
  implement(app, anyTask.unnotified, listUnnotified)
}

type Calls = (typeof tasks)[DisciplineName]

const listTasks =
  (discipline: DisciplineName): Handler<Calls['list']> =>
  ({ body, query }, { db, viewer }) =>
    findTasks(db, discipline, mergeFilters(query, body), viewer)

const exportTasks =
  (discipline: DisciplineName): Handler<Calls['export']> =>
  ({ query }, { app, reply, viewer }) => {
    const hidden: readonly string[] = dateFields.filter((field) => !datesOf(viewer.role_id).includes(field))
    const shown = Object.fromEntries(Object.entries(taskFields).filter(([name]) => !hidden.includes(name)))
    const all = allTasks(discipline, query, viewer).compile(app.db)
    return replyCsv(app.pool, reply, `${disciplineOf(discipline).word}-tasks.csv`, all, csvOf(shown))
  }

const showTask =
  (discipline: DisciplineName): Handler<Calls['show' | 'editForm']> =>
  async ({ params }, context) => ({
    data: await getTask(context.db, discipline, params.id, context.viewer, linksFor(context)),
  })

const createTask =
  (discipline: DisciplineName, kind: RecordKind): Handler<Calls['save']> =>
  async ({ body }, context) => {
    const { app, db, viewer } = context
    if (!disciplineOf(discipline).products.includes(body.product_id))
      throw invalid('product_id', 'This product doesn’t have this type of task.')
    const { assigned_to = null } = body
    if (assigned_to !== null && !can(viewer, disciplineOf(discipline).assign))
      throw notAllowed('You don’t have permission to assign this task.')
    await demandFits(context, body.product_id, body)
    const values = valuesOf(body)
    demandDates(viewer, {}, values)
    const begins = assigned_to === null ? pending : assigned
    const file_ids = await chooseFiles(app.files, context, kind, 'file_ids', body)
    const id = await createRecord(
      context,
      kind,
      { ...values, assigned_to, file_ids },
      { discipline, product_id: body.product_id, status: begins, created_by: viewer.id },
    )
    await setInlineImages(
      app.files,
      context,
      { type: kind.type, id },
      imagesIn(typeof values['description'] === 'string' ? values['description'] : ''),
    )
    await addActivity(db, { task_id: id, type: activityTypes.add, created_by: viewer.id, status: begins })
    if (assigned_to !== null)
      await addActivity(db, { task_id: id, type: activityTypes.assign, created_by: viewer.id, assigned_to })
    return { message: 'Task created.', data: await getTask(db, discipline, id, viewer) }
  }

const updateTask =
  (discipline: DisciplineName, kind: RecordKind): Handler<Calls['update']> =>
  async ({ params: { id }, body: { version, base, ...sent } }, context) => {
    const { app, db, viewer } = context
    const before = await lockRecord(db, kind, id, viewer)
    const values = valuesOf(sent)
    const { product_id } = await db
      .selectFrom('tasks')
      .select('product_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    await demandFits(context, product_id, sent, before)
    demandDates(viewer, before, values)
    const current = () => getTask(db, discipline, id, viewer)
    const file_ids = await chooseFiles(app.files, context, kind, 'file_ids', sent, id)
    const { operation } = await changeRecord(
      context,
      kind,
      id,
      { ...values, file_ids },
      { stated: { version, base }, current },
    )
    if (typeof values['description'] === 'string')
      await setInlineImages(app.files, context, { type: kind.type, id }, imagesIn(values['description']))
    if (operation) await addActivity(db, { task_id: id, type: activityTypes.edit, created_by: viewer.id })
    return { message: 'Task saved.', data: await current(), operation }
  }

const removeTask =
  (kind: RecordKind): Handler<Calls['remove']> =>
  async ({ params }, context) => {
    const operation = await trashRecords(context, kind, [params.id])
    return { message: `${operation.summary}.`, operation }
  }

const assignTask =
  (discipline: DisciplineName, kind: RecordKind): Handler<Calls['assign']> =>
  async ({ params: { id }, body: { assigned_to } }, context) => {
    const { db, viewer } = context
    const before = await lockRecord(db, kind, id, viewer)
    const { product_id } = await db
      .selectFrom('tasks')
      .select('product_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    await demandFits(context, product_id, { assigned_to })
    const becomes = assigned_to !== null && before['status'] === pending ? { status: assigned } : {}
    const { operation } = await changeRecord(
      context,
      kind,
      id,
      { assigned_to, ...becomes },
      { summary: 'Assigned' },
    )
    if (operation)
      await addActivity(db, { task_id: id, type: activityTypes.assign, created_by: viewer.id, assigned_to })
    return {
      message: assigned_to === null ? 'Task unassigned.' : 'Task assigned.',
      ...(await changeReply(discipline, id, context, operation)),
    }
  }

const extendDueDate =
  (discipline: DisciplineName, kind: RecordKind): Handler<Calls['extendDueDate']> =>
  async ({ params: { id }, body: { due_date, comment, type: wanted } }, context) => {
    const { app, db, viewer, audit } = context
    const before = await lockRecord(db, kind, id, viewer)
    const panel = dueDateOfPanel[viewer.role_id]
    const moveType = wanted ?? (panel === undefined ? undefined : moveTypeOf(panel))
    if (moveType === undefined) throw notAllowed('You don’t have permission to change this date.')
    const field = moveTypes[moveType]
    const why = whyNotMove(viewer, discipline, field)
    if (why !== undefined) throw notAllowed(why)
    const old_date = before[field] as string | null
    const summary = old_date === null ? `${dateNames[field]} set` : `${dateNames[field]} changed`
    const { operation } = await changeRecord(context, kind, id, { [field]: due_date }, { summary })
    if (!operation) throw invalid('due_date', 'The task already has this date.')
    const now = app.clock.now().toISOString()
    // Setting a due date for the first time doesn't count as moving it.
    if (old_date !== null)
      await db
        .insertInto('task_date_moves')
        .values({
          task_id: id,
          type: moveType,
          old_date,
          new_date: due_date,
          reason: comment,
          moved_by: viewer.id,
          moved_at: now,
        })
        .execute()
    await db
      .insertInto('task_activities')
      .values({ task_id: id, type: moveType, due_date, comment, created_by: viewer.id, created_at: now })
      .execute()
    audit({ target: kind.type, id, after: { reason: comment } })
    return {
      message: `${dateNames[field]} changed.`,
      ...(await changeReply(discipline, id, context, operation)),
    }
  }

const changeStatus =
  (discipline: DisciplineName, kind: RecordKind): Handler<Calls['changeStatus']> =>
  async ({ params: { id }, body: { status, comment } }, context) => {
    const { db, viewer, audit } = context
    const before = await lockRecord(db, kind, id, viewer)
    const why = whyNotStatus(viewer, discipline, before['status'] as number, status)
    if (why !== undefined) throw notAllowed(why)
    if (status === onHold && comment === '') throw invalid('comment', 'Enter a reason for the hold.')
    const cleared =
      before['status'] === delivered && status !== delivered ? { is_customer_notified: false } : {}
    const { operation } = await changeRecord(
      context,
      kind,
      id,
      { status, ...cleared },
      { summary: `Status set to ${statusName(status)}` },
    )
    if (operation) {
      const what = status === onHold ? activityTypes.onHold : activityTypes.changeStatus
      await addActivity(db, {
        task_id: id,
        type: what,
        created_by: viewer.id,
        status,
        comment: comment || null,
      })
      if (comment !== '') audit({ target: kind.type, id, after: { reason: comment } })
    }
    return {
      message: `Status changed to ${statusName(status)}.`,
      ...(await changeReply(discipline, id, context, operation)),
    }
  }

const markNotified =
  (discipline: DisciplineName, kind: RecordKind): Handler<Calls['notificationStatus']> =>
  async ({ params: { id } }, context) => {
    // A single permission covers both disciplines, and viewers who cannot see this discipline must learn
    // nothing about it.
    if (!can(context.viewer, disciplineOf(discipline).view)) throw notAllowed()
    const { operation } = await changeRecord(
      context,
      kind,
      id,
      { is_customer_notified: true },
      { summary: 'Customer notified' },
    )
    const message = operation
      ? 'Marked as notified. No email was sent.'
      : 'The customer was already marked as notified.'
    return { message, ...(await changeReply(discipline, id, context, null)), operation }
  }

const listActivity =
  (discipline: DisciplineName): Handler<Calls['activity']> =>
  async ({ params: { id }, query }, { db, viewer }) => {
    await getTask(db, discipline, id, viewer)
    const wanted = query.type === undefined ? undefined : [query.type]
    if (tabsOf(viewer, discipline).includes('activity')) return { data: await findActivity(db, id, wanted) }
    const seen: readonly number[] = moveTypeIds.filter((one: MoveType) =>
      datesOf(viewer.role_id).includes(moveTypes[one]),
    )
    return { data: await findActivity(db, id, wanted ? wanted.filter((one) => seen.includes(one)) : seen) }
  }

function routesOf(app: App, discipline: DisciplineName): void {
  const calls = tasks[discipline]
  const kind = taskKind(discipline)
  app.records.register(kind)
  implement(app, calls.list, listTasks(discipline))
  implement(app, calls.export, exportTasks(discipline))
  implement(app, calls.show, showTask(discipline))
  implement(app, calls.editForm, showTask(discipline))
  implement(app, calls.save, createTask(discipline, kind))
  implement(app, calls.update, updateTask(discipline, kind))
  implement(app, calls.remove, removeTask(kind))
  implement(app, calls.assign, assignTask(discipline, kind))
  implement(app, calls.extendDueDate, extendDueDate(discipline, kind))
  implement(app, calls.changeStatus, changeStatus(discipline, kind))
  implement(app, calls.notificationStatus, markNotified(discipline, kind))
  implement(app, calls.activity, listActivity(discipline))
}

/** Merges the filters from the URL and the body; the body takes precedence. */
const mergeFilters = (query: TaskQuery, body: TaskQuery): TaskQuery => ({
  ...query,
  ...Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)),
})

/** Converts the fields that were sent to stored values. */
function valuesOf({ description, ...sent }: Partial<NewTaskValues>): Row {
  const { product_id: _product, assigned_to: _person, file_ids: _files, ...values } = sent
  return {
    ...values,
    ...(description === undefined ? {} : { description: cleanHtml(description, 'description') }),
  }
}

/**
 * Checks dates. Setting a date for the first time is an ordinary edit. An existing date is a promise, and
 * changing it requires a reason.
 * @throws HttpError 403 for a date that the viewer cannot see or set, 422 for a change to an existing date.
 */
function demandDates(viewer: Viewer, before: Row, values: Row): void {
  for (const field of dateFields) {
    const [was, is] = [before[field] ?? null, values[field]]
    if (is === undefined) continue
    const isHidden = before['version'] !== undefined && !datesOf(viewer.role_id).includes(field)
    // Setting a date that the viewer cannot see fails in the same way whether or not the value would change.
    if (is === was && !isHidden) continue
    if (field === 'req_due_date') {
      if (!setsRequiredDate(viewer.role_id))
        throw notAllowed('You don’t have permission to set the required due date.')
    } else if (!datesOf(viewer.role_id).includes(field))
      throw notAllowed(`You don’t have permission to set the ${dateNames[field].toLowerCase()}.`)
    else if (was !== null)
      throw invalid(
        field,
        movableDates(viewer.role_id).includes(field)
          ? 'Changing this date requires a reason.'
          : 'You don’t have permission to change this date.',
      )
  }
}

type Writes = Parameters<typeof changeRecord>[0]

/**
 * Returns the current task, and the operation if the viewer can undo it, which requires permission to edit.
 */
async function changeReply(
  discipline: DisciplineName,
  id: number,
  { db, viewer }: Writes,
  operation: Awaited<ReturnType<typeof changeRecord>>['operation'],
): Promise<{ data: Task; operation: typeof operation }> {
  return {
    data: await getTask(db, discipline, id, viewer),
    operation: can(viewer, disciplineOf(discipline).edit) ? operation : null,
  }
}
