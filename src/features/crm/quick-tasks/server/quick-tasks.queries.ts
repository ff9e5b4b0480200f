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
import { notAllowed } from '#server/http/errors.ts'
import { conditionsOf, handledElsewhere, matchesSearch } from '#server/record/list.ts'
import { readsOf, sortedBy } from '#server/record/reads.ts'
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

const byDueDate: Record<NonNullable<ExtraFilters['due']>, (day: PlainDate) => RawBuilder<unknown>> = {
  overdue: (day) => sql`r.due_date < ${day} and r.status = 0`,
  today: (day) => sql`r.due_date = ${day}`,
  week: (day) => sql`r.due_date >= ${day} and r.due_date <= ${addDays(day, 6)}`,
  none: () => sql`r.due_date is null`,
}

function byExtraFilters(filters: ExtraFilters, today: PlainDate): RawBuilder<unknown> | undefined {
  const conditions = conditionsOf<ExtraFilters>(filters, {
    person: (id) => sql`r.person = ${id}`,
    creator: (id) => sql`r.created_by = ${id}`,
    due: (due) => byDueDate[due](filters.today ?? today),
    today: handledElsewhere,
  })
  return conditions.length ? sql.join(conditions, sql` and `) : undefined
}

export const quickTaskReads = readsOf<QuickTask, QuickTaskQuery, object, Viewer & { today: PlainDate }>({
  kind: quickTaskKind,
  columns: `r.id, ${selectOf(quickTaskFields, 'r').join(', ')}, r.created_at, r.version,
    p.name as person_name, c.name as creator_name`,
  joins: 'join staff p on p.id = r.person join staff c on c.id = r.created_by',
  conditions: ({ today }) => ({
    status: (status) => sql`r.status = ${status}`,
    search: (search) => matchesSearch('r.search', search),
    type: (type) => sql`r.type = ${type}`,
    entity: (entity) => {
      const [type, id] = entity.split(':')
      return id === undefined
        ? sql`r.entity = ${type}`
        : sql`r.entity = ${type} and r.entity_id = ${Number(id)}`
    },
    filters: (filters) => byExtraFilters(filters, today),
  }),
  order: sortedBy(
    {
      due_date: 'r.due_date',
      title: 'lower(r.title)',
      // Critical is stored as 6 but sorts first (docs/spec-gaps.md G33).
      priority: 'case r.priority when 6 then 0 else r.priority end',
      status: 'r.status',
      id: 'r.id',
    },
    'r.id',
    ['due_date'],
  ),
  perPage: quickTasksPerPage,
})
