import { sql, type RawBuilder } from 'kysely'
import { mostFiles } from '#shared/files.ts'
import { can } from '#shared/access.ts'
import type { Viewer } from '#shared/endpoint.ts'
import { columnsOf, referencesOf } from '#shared/field.ts'
import { tasksPerPage, type TaskQuery, type TaskRow } from '#features/tasks/tasks/contract.ts'
import { taskFields } from '#features/tasks/tasks/fields.ts'
import {
  datesOf,
  dateFields,
  deliveredGroups,
  disciplineOf,
  ownDate,
  prReview,
  tabsOf,
  type DateField,
  type DisciplineName,
  taskStatuses,
} from '#features/tasks/tasks/rules.ts'
import { recordUndoActivity } from '#features/tasks/tasks/server/undo-activity.queries.ts'
import type { Db } from '#server/db/db.ts'
import { invalid, notAllowed, notFound } from '#server/http/errors.ts'
import { cachedCountRow } from '#server/record/counted.ts'
import { conditionsOf, dayEnd, dayStart, handledElsewhere, matchesSearch } from '#server/record/list.ts'
import { recordKind } from '#server/record/rows.ts'
import { redactFor, rowColumns, type Stored } from '#features/tasks/tasks/server/task-rows.ts'

const states = JSON.stringify(
  Object.fromEntries(taskStatuses.map(({ id, name, tone }) => [id, { name, tone }])),
)
const stateOf = sql`(${sql.lit(states)}::json -> r.status::text)`

/**
 * Returns a discipline's record kind. The two record types share a table, and each is limited to its
 * discipline and the viewer's products.
 */
export const taskKind = (discipline: DisciplineName) =>
  recordKind({
    type: disciplineOf(discipline).type,
    table: 'tasks',
    name: 'r.title',
    state: stateOf,
    page: '/dashboard?task=$id',
    columns: columnsOf(taskFields),
    references: referencesOf(taskFields),
    files: { file_ids: { role: 'attachment', most: mostFiles } },
    richText: ['description'],
    links: { organization_ids: { table: 'task_organizations', own: 'task_id', other: 'organization_id' } },
    // The history reveals everything that the Activity tab does, plus dates that some viewers cannot see, so it
    // requires access to that tab.
    history: { mayRead: (viewer) => tabsOf(viewer, discipline).includes('activity') },
    undo: { after: (writing, id, change) => recordUndoActivity(writing, discipline, id, change) },
    visibility: {
      products: { of: 'array[r.product_id]' },
      scope: (viewer) =>
        sql`r.discipline = ${discipline} and r.product_id = any(${[...viewer.products]}::int[])`,
      belongsTo: {
        organization: (ids) => sql`r.discipline = ${discipline}
      and r.id in (select t.task_id from task_organizations t where t.organization_id in (${ids}))`,
      },
    },
    openWork: {
      columns: ['assigned_to'],
      open: sql`deleted_at is null and status <> 4 and discipline = ${discipline}`,
      product: sql`product_id`,
      only: sql`discipline = ${discipline}`,
    },
  })

/** Returns the date field that a list uses, which must be visible to the viewer. */
function dateOf({ date }: TaskQuery, viewer: Viewer): DateField {
  if (date !== undefined && !datesOf(viewer.role_id).includes(date))
    throw invalid('date', 'You don’t have access to this date.')
  return date ?? ownDate(viewer.role_id)
}

/**
 * Builds a list's condition on `t`.
 * @throws HttpError 403 for another person's tasks without permission, 422 for a date that the viewer cannot
 * see.
 */
export function matching(
  discipline: DisciplineName,
  query: TaskQuery,
  viewer: Viewer,
  withGroup = true,
): RawBuilder<unknown> {
  const products = query.product_id === undefined ? [...viewer.products] : [query.product_id]
  const date = sql.ref(`t.${dateOf(query, viewer)}`)
  const { assigned_to } = query
  if (
    assigned_to !== undefined &&
    assigned_to !== viewer.id &&
    !can(viewer, disciplineOf(discipline).filterByPerson)
  )
    throw notAllowed('You don’t have permission to filter tasks by assignee.')
  if (query.notified !== undefined && !can(viewer, 'view_task_is_notified'))
    throw notAllowed('You don’t have permission to filter tasks by customer notification.')
  const parts = [
    sql`t.deleted_at is null and t.discipline = ${discipline}`,
    products.length === 1 ? sql`t.product_id = ${products[0]}` : sql`t.product_id = any(${products}::int[])`,
    ...conditionsOf<Omit<TaskQuery, 'sortingBy' | 'a_day'>>(query, {
      product_id: handledElsewhere,
      date: handledElsewhere,
      search: bySearch,
      status: (statuses) => sql`t.status = any(${statuses}::int[])`,
      delivered: (group) =>
        withGroup ? sql`t.status = any(${[...deliveredGroups[group].statuses]}::int[])` : undefined,
      priority: (priority) => sql`t.priority = ${priority}`,
      assigned_to: (id) => (id === 0 ? sql`t.assigned_to is null` : sql`t.assigned_to = ${id}`),
      organization_id: (id) =>
        sql`exists (select from task_organizations k where k.task_id = t.id and k.organization_id = ${id})`,
      task_type_id: (id) => sql`t.task_type_id = ${id}`,
      notified: (notified) => sql`t.is_customer_notified = ${notified === 1}`,
      from: (from) => sql`${date} >= ${from}::date`,
      to: (to) => sql`${date} <= ${to}::date`,
      undated: (undated) => (undated === 1 ? sql`${date} is null` : sql`${date} is not null`),
      created_from: (from) => sql`t.created_at >= ${dayStart(from, viewer)}`,
      created_to: (to) => sql`t.created_at < ${dayEnd(to, viewer)}`,
      status_from: (from) => sql`${statusSetAt} >= ${dayStart(from, viewer)}`,
      status_to: (to) => sql`${statusSetAt} < ${dayEnd(to, viewer)}`,
    }),
  ]
  return sql.join(parts, sql` and `)
}

/** SQL expression on `t`: since when the task has its status. */
export const statusSetAt = sql`coalesce(t.status_at, t.created_at)`

/** Matches part of a title, or a task number such as `204` or `#204`. */
function bySearch(search: string): RawBuilder<unknown> {
  const number = /^#?(\d{1,9})$/.exec(search)?.[1]
  const inTitle = matchesSearch('t.search', search)
  return number === undefined ? inTitle : sql`(t.id = ${Number(number)} or ${inTitle})`
}

function sorted(query: TaskQuery, viewer: Viewer): RawBuilder<unknown> {
  const column = query.sortingBy ?? query.column ?? 'created'
  const seen = datesOf(viewer.role_id)
  const field = (dateFields as readonly string[]).includes(column)
    ? column === 'due_date'
      ? dateOf(query, viewer)
      : seen.includes(column as DateField)
        ? column
        : ownDate(viewer.role_id)
    : { created: 'created_at', priority: 'priority_rank', status: 'status', title: 'search' }[
        column as 'created' | 'priority' | 'status' | 'title'
      ]
  const direction = sql.raw(query.direction ?? (column === 'created' ? 'desc' : 'asc'))
  // Ties are sorted newest first, as in the index; unset dates come last.
  const isDay = field.endsWith('_date')
  const isTieSame = isDay || field === 'search' || field === 'created_at'
  return sql`${sql.ref(`t.${field}`)} ${direction}${isDay ? sql` nulls last` : sql``}, t.id ${isTieSame ? direction : sql`desc`}`
}

interface TaskPage {
  data: TaskRow[]
  total: number
  per_page: number
  in_pr_review: number | null
  days: { day: string; total: number }[] | null
}

/** Returns a page of tasks that match the filters or, for a calendar, the first tasks of each day. */
export async function findTasks(
  db: Db,
  discipline: DisciplineName,
  query: TaskQuery,
  viewer: Viewer,
): Promise<TaskPage> {
  const perPage = query.per_page ?? tasksPerPage
  const offset = ((query.page ?? 1) - 1) * perPage
  const pageOf = (where: RawBuilder<unknown>) =>
    // Select the page by index first, so that related data is read only for these few tasks.
    sql<Stored>`select ${rowColumns} from (select t.* from tasks t where ${where} order by ${sorted(query, viewer)} limit ${perPage} offset ${offset}) t
      order by ${sorted(query, viewer)}`.execute(db)
  const inPrReview = async () => {
    if (query.delivered === undefined) return null
    const where = matching(discipline, query, viewer, false)
    return (
      await cachedCountRow(
        db,
        sql<{
          total: number
        }>`select count(*) as total from tasks t where ${where} and t.status = ${prReview}`.compile(db),
      )
    ).total
  }
  const where = matching(discipline, query, viewer)
  if (query.a_day !== undefined) {
    const [first, in_pr_review] = await Promise.all([
      firstOfDays(db, query, query.a_day, where, viewer),
      inPrReview(),
    ])
    const { rows } = await pageOf(sql`t.id = any(${first.ids}::int[])`)
    return {
      data: rows.map((row) => redactFor(viewer, row)),
      total: first.total,
      per_page: perPage,
      in_pr_review,
      days: first.days,
    }
  }
  const [{ rows }, { total }, in_pr_review] = await Promise.all([
    pageOf(where),
    cachedCountRow(
      db,
      sql<{ total: number }>`select count(*) as total from tasks t where ${where}`.compile(db),
    ),
    inPrReview(),
  ])
  return {
    data: rows.map((row) => redactFor(viewer, row)),
    total,
    per_page: perPage,
    in_pr_review,
    days: null,
  }
}

/**
 * Returns the first tasks of each day and each day's count in a single scan. Urgent tasks on one day do not
 * displace those of another day.
 */
async function firstOfDays(
  db: Db,
  query: TaskQuery,
  a_day: number,
  where: RawBuilder<unknown>,
  viewer: Viewer,
) {
  if (query.from === undefined || query.to === undefined) throw invalid('a_day', 'Send both from and to.')
  const date = sql.ref(`t.${dateOf(query, viewer)}`)
  const { rows } = await sql<{ id: number; day: string; total: number }>`select id, day, total
    from (select t.id, ${date} as day, row_number() over (partition by ${date} order by ${sorted(query, viewer)}) as place, count(*) over (partition by ${date}) as total
      from tasks t where ${where}) f
    where place <= ${a_day} order by day`.execute(db)
  const days = [...new Map(rows.map(({ day, total }) => [day, total]))].map(([day, total]) => ({
    day,
    total,
  }))
  return { ids: rows.map(({ id }) => id), days, total: days.reduce((sum, { total }) => sum + total, 0) }
}

/** Returns the query that selects all matching tasks for export. */
export const allTasks = (discipline: DisciplineName, query: TaskQuery, viewer: Viewer) => {
  const where = matching(discipline, query, viewer)
  return sql<Stored>`select ${rowColumns} from tasks t where ${where} order by ${sorted(query, viewer)}`
}

/**
 * Returns a task's discipline.
 * @throws HttpError 404 if the task doesn't exist for the viewer, 403 without permission to view its
 * discipline.
 */
export async function demandKind(db: Db, id: number, viewer: Viewer): Promise<DisciplineName> {
  const row = await db
    .selectFrom('tasks')
    .select('discipline')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .where('product_id', 'in', [...viewer.products, 0])
    .executeTakeFirst()
  if (!row) throw notFound('Task not found.')
  const discipline = row.discipline as DisciplineName
  if (!can(viewer, disciplineOf(discipline).view)) throw notAllowed()
  return discipline
}

/** Returns the tasks that the bell counts (docs/spec-gaps.md G120), limited to the disciplines the viewer can see. */
export async function findUnnotified(db: Db, viewer: Viewer, kinds: readonly DisciplineName[]) {
  // For an `exists` among the columns, PostgreSQL reads all tickets. A limit prevents this.
  const where = sql`t.status = 4 and not t.is_customer_notified and t.deleted_at is null and t.product_id = any(${[...viewer.products]}::int[])
    and t.discipline = any(${[...kinds]}::text[]) and t.has_organization`
  const [listed, counted] = await Promise.all([
    sql<{
      id: number
      title: string
      created_at: string
      due_date: string | null
      discipline: DisciplineName
      organizations: string
      has_ticket: boolean
    }>`select t.id, t.title, t.created_at, t.due_date, t.discipline, (select string_agg(o.name, ', ' order by o.name)
        from task_organizations k join organizations o on o.organization_id = k.organization_id
        where k.task_id = t.id) as organizations,
        coalesce((select true from tickets i where i.id = t.ticket_id and (i.deleted_at is null or i.merged_into is not null) limit 1), false) as has_ticket
      from tasks t where ${where} order by t.due_date nulls last, t.id desc limit 50`.execute(db),
    cachedCountRow(
      db,
      sql<{ total: number }>`select count(*) as total from tasks t where ${where}`.compile(db),
    ),
  ])
  return { task_count: counted.total, tasks: listed.rows }
}
