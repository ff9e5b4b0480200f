import { sql } from 'kysely'
import { can } from '#shared/access.ts'
import type { Viewer } from '#shared/endpoint.ts'
import { selectOf } from '#shared/field.ts'
import { instantAt, defaultZone, wallTime } from '#shared/zones.ts'
import type { TaskRow } from '#features/tasks/tasks/contract.ts'
import { taskFields } from '#features/tasks/tasks/fields.ts'
import { datesOf, dateFields, disciplineOf, type DateField } from '#features/tasks/tasks/rules.ts'

const personOf = (column: string) =>
  sql.raw(
    `(select json_build_object('id', s.id, 'first_name', s.first_name, 'last_name', s.last_name) from staff s where s.id = ${column})`,
  )

/** Replies have other values for these columns. */
const { assigned_to: _person, is_customer_notified: _flag, ...plainFields } = taskFields

/** Columns of a list row, where `t` is the task. */
export const rowColumns = sql`t.id, t.discipline, t.product_id, ${sql.raw(selectOf(plainFields, 't').join(', '))},
  (select y.name from task_types y where y.id = t.task_type_id) as task_type, ${personOf('t.assigned_to')} as assigned_to,
  coalesce((select json_agg(json_build_object('id', o.organization_id, 'name', o.name, 'zone', o.timezone) order by o.name, o.organization_id)
    from task_organizations k join organizations o on o.organization_id = k.organization_id where k.task_id = t.id), '[]'::json) as organization,
  t.is_customer_notified::int as is_customer_notified,
  (select coalesce(sum(case when m.undoes then -1 else 1 end), 0)::int from task_date_moves m where m.task_id = t.id) as moves, t.created_at, t.updated_at, t.version`

export type Stored = Omit<TaskRow, 'organization' | 'task_due_date_time' | 'task_req_due_date_time'> & {
  organization: { id: number; name: string; zone: string }[]
}

/** End of the workday in the customer's time zone. */
const deliveredAt = '17:00'

/**
 * Returns the end of a day in the customer's time zone, so that the date is the same for every viewer
 * (docs/spec-gaps.md G137).
 */
function withTime(day: string | null, zone: string): string | null {
  if (day === null) return null
  const key = `${day} ${zone}`
  let end = endOfDayCache.get(key)
  if (end === undefined) {
    end = `${day}T${deliveredAt}:00${wallTime(instantAt(day, deliveredAt, zone), zone).offset}`
    if (endOfDayCache.size >= mostEnds) endOfDayCache.clear()
    endOfDayCache.set(key, end)
  }
  return end
}

/**
 * Cache, because time zone conversions are the most expensive part of a page of tasks, and the same few days
 * recur.
 */
const endOfDayCache = new Map<string, string>()
const mostEnds = 20_000

/** Returns a row without the values that the viewer cannot see. */
export function redactFor(viewer: Viewer, row: Stored): TaskRow {
  const seen = datesOf(viewer.role_id)
  const dates = Object.fromEntries(
    dateFields.map((field) => [field, seen.includes(field) ? row[field] : null]),
  ) as Record<DateField, string | null>
  const zone = row.organization[0]?.zone ?? defaultZone
  const knowsNotified = can(viewer, 'view_task_is_notified') || can(viewer, 'view_task_notify')
  return {
    ...row,
    ...dates,
    organization: row.organization.map(({ id, name }) => ({ id, name })),
    task_due_date_time: withTime(dates.due_date, zone),
    task_req_due_date_time: withTime(dates.req_due_date, zone),
    is_customer_notified: knowsNotified ? row.is_customer_notified : null,
    moves: can(viewer, disciplineOf(row.discipline).history) ? row.moves : null,
  }
}
