import { sql, type RawBuilder } from 'kysely'
import { isAdminRole } from '#shared/access.ts'
import { addDays, type PlainDate } from '#shared/dates.ts'
import type { Viewer } from '#shared/endpoint.ts'
import { columnsOf, referencesOf, selectOf } from '#shared/field.ts'
import {
  quickTasksPerPage,
  type ExtraFilters,
  type QuickTask,
  type QuickTaskQuery,
} from '#features/crm/quick-tasks/contract.ts'
import { quickTaskFields } from '#features/crm/quick-tasks/fields.ts'
import { mayEdit } from '#features/crm/quick-tasks/rules.ts'
import { leadKind } from '#features/crm/leads/record/server/leads.queries.ts'
import { organizationKind } from '#features/crm/organizations/server/organizations.queries.ts'
import { ticketKind } from '#features/crm/support/server/support.queries.ts'
import { taskKind } from '#features/tasks/tasks/server/tasks.queries.ts'
import type { Db } from '#server/db/db.ts'
import { notAllowed, notFound } from '#server/http/errors.ts'
import {
  conditionsOf,
  findPage,
  handledElsewhere,
  matchesSearch,
  nullsLast,
  whereAll,
} from '#server/record/list.ts'
import { recordKind } from '#server/record/rows.ts'
import { inScope } from '#server/record/scope.ts'

/** Kinds of records that a quick task can be about. */
const entityKinds = [leadKind, organizationKind, ticketKind, taskKind('development'), taskKind('designer')]

/**
 * Limits quick tasks to those created by or assigned to the viewer. Roles 0 and 1 also see all other quick
 * tasks, except those about a record that doesn't exist for the viewer.
 */
const seenBy = (viewer: Viewer, table: string) => {
  const isOwn = sql<boolean>`(${sql.ref(`${table}.person`)} = ${viewer.id} or ${sql.ref(`${table}.created_by`)} = ${viewer.id})`
  return isAdminRole(viewer.role_id)
    ? sql<boolean>`(${isOwn} or ${inScope(entityKinds, viewer, { type: `${table}.entity`, id: `${table}.entity_id` })})`
    : isOwn
}

/** Fields that everyone who can see a quick task can change: its status and due date. */
const changedByAll = new Set(['status', 'completed_at', 'completed_by', 'due_date'])

export const quickTaskKind = recordKind({
  type: 'quick_task',
  table: 'quick_tasks',
  name: 'r.title',
  columns: columnsOf(quickTaskFields),
  references: referencesOf(quickTaskFields),
  history: { unaudited: ['completed_at', 'completed_by'] },
  openWork: { columns: ['person'], kept: ['person'], open: sql`deleted_at is null and status = 0` },
  visibility: { scope: (viewer) => seenBy(viewer, 'r') },
  authorize: (act, row, viewer, patch = {}) => {
    if (mayEdit(row, viewer)) return
    if (act === 'remove') throw notAllowed('Only admins and the task’s creator can move it to trash.')
    if (Object.keys(patch).some((column) => !changedByAll.has(column)))
      throw notAllowed('Only admins and the task’s creator can edit it.')
  },
})

function matching(db: Db, query: QuickTaskQuery, viewer: Viewer, today: PlainDate) {
  const extra = query.filters ?? {}
  const day = extra.today ?? today
  const all = db.selectFrom('quick_tasks as q').where('q.deleted_at', 'is', null).where(seenBy(viewer, 'q'))
  return whereAll(all, [
    ...conditionsOf<QuickTaskQuery>(query, {
      status: (status) => sql`q.status = ${status}`,
      search: (search) => matchesSearch('q.search', search),
      type: (type) => sql`q.type = ${type}`,
      entity: (entity) => {
        const [kind, id] = entity.split(':')
        return id === undefined
          ? sql`q.entity = ${kind}`
          : sql`q.entity = ${kind} and q.entity_id = ${Number(id)}`
      },
      filters: handledElsewhere,
    }),
    ...conditionsOf<ExtraFilters>(extra, {
      person: (id) => sql`q.person = ${id}`,
      creator: (id) => sql`q.created_by = ${id}`,
      due: (due) => byDueDate[due](day),
      today: handledElsewhere,
    }),
  ])
}

const byDueDate: Record<NonNullable<ExtraFilters['due']>, (day: PlainDate) => RawBuilder<unknown>> = {
  overdue: (day) => sql`q.due_date < ${day} and q.status = 0`,
  today: (day) => sql`q.due_date = ${day}`,
  week: (day) => sql`q.due_date >= ${day} and q.due_date <= ${addDays(day, 6)}`,
  none: () => sql`q.due_date is null`,
}

const sorts = {
  due_date: sql`q.due_date`,
  title: sql`lower(q.title)`,
  // Critical is stored as 6 but sorts first (docs/spec-gaps.md G33).
  priority: sql`case q.priority when 6 then 0 else q.priority end`,
  status: sql`q.status`,
  id: sql`q.id`,
} as const

/** The table has any text for an entity, so its type is given below. */
const { entity: _entity, ...plainFields } = quickTaskFields

const shown = (db: Db) =>
  db
    .selectFrom('quick_tasks as q')
    .innerJoin('staff as p', 'p.id', 'q.person')
    .innerJoin('staff as c', 'c.id', 'q.created_by')
    .select(['q.id', ...selectOf(plainFields, 'q'), 'q.created_at', 'q.version'])
    .select(sql<QuickTask['entity']>`q.entity`.as('entity'))
    .select(['p.name as person_name', 'c.name as creator_name'])

/** Returns a page of quick tasks that match the filters and are visible to the viewer. */
export async function findQuickTasks(
  db: Db,
  query: QuickTaskQuery,
  viewer: Viewer,
  today: PlainDate,
): Promise<{ data: QuickTask[]; total: number; per_page: number }> {
  const { data, ...rest } = await findPage(
    db,
    matching(db, query, viewer, today),
    query.page,
    quickTasksPerPage,
    (matches) =>
      matches
        .select('q.id')
        .orderBy(
          sorts[query.column],
          query.column === 'due_date' ? nullsLast(query.direction) : query.direction,
        )
        .orderBy('q.id', query.direction),
  )
  const ids = (data as { id: number }[]).map(({ id }) => id)
  const rows = ids.length ? await shown(db).where('q.id', 'in', ids).execute() : []
  return { data: ids.map((id) => rows.find((row) => row.id === id)!), ...rest }
}

/**
 * Returns a quick task.
 * @throws HttpError 404 if it doesn't exist for this viewer.
 */
export async function getQuickTask(db: Db, id: number, viewer: Viewer): Promise<QuickTask> {
  const found = await shown(db)
    .where('q.id', '=', id)
    .where('q.deleted_at', 'is', null)
    .where(seenBy(viewer, 'q'))
    .executeTakeFirst()
  if (!found) throw notFound('Quick task not found.')
  return found
}
