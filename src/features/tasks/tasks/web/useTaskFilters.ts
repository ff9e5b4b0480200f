import { can } from '#shared/access.ts'
import type { TaskFilters } from '#features/tasks/tasks/contract.ts'
import {
  dateNames,
  deliveredGroups,
  disciplineOf,
  ownDate,
  priorities,
  taskStatuses,
  type DisciplineName,
} from '#features/tasks/tasks/rules.ts'
import { useTaskTypes } from '#features/tasks/tasks/web/useTaskTypes.ts'
import { choice, days, type Filter } from '#web/filter/filters.tsx'
import { useOrganizationFilter } from '#web/filter/organizationFilter.tsx'
import { asPairs, useStaff } from '#web/filter/useOptions.ts'
import type { Person } from '#web/session.ts'

/**
 * Returns the filters of a task list for a person. `customer` is the organization that the list is currently
 * filtered by. With `isTyped`, the list shows a single type, so there is no filter by type. The types are
 * requested only if `needsTypes`.
 */
export function useTaskFilters(
  discipline: DisciplineName,
  product: number | undefined,
  person: Person | undefined,
  customer: number | undefined,
  isTyped: boolean,
  needsTypes = true,
): readonly Filter<TaskFilters>[] {
  const people = useStaff(product)
  const types = useTaskTypes(needsTypes) ?? []
  const byCustomer = useOrganizationFilter<TaskFilters>(customer, {
    field: 'organization_id',
    label: 'Customer',
    any: 'All customers',
    product,
    more: true,
  })
  const status = choice<TaskFilters>('status', 'Status', 'All statuses', asPairs([...taskStatuses]))
  const nameOfStatus = (id: number) => taskStatuses.find((one) => one.id === id)?.name
  const others = can(person, disciplineOf(discipline).filterByPerson)
  const own: [number, string][] = person ? [[person.id, 'Mine']] : []
  const who: [number, string][] = others
    ? [...own, [0, 'Unassigned'], ...asPairs(people).filter(([id]) => id !== person?.id)]
    : own
  return [
    choice<TaskFilters>(
      'delivered',
      'Delivered',
      'Any delivery status',
      Object.entries(deliveredGroups).map(([id, { name }]) => [id, name] as const),
    ),
    {
      ...status,
      // The URL may contain several values, but the control selects only one.
      control: (filters, onChange) =>
        status.control({ ...filters, status: filters.status?.[0] } as never, (change) =>
          onChange({ status: change.status === undefined ? undefined : [change.status] } as never),
        ),
      says: ({ status: ids }) => (ids?.length ? `Status: ${ids.map(nameOfStatus).join(', ')}` : undefined),
    },
    choice<TaskFilters>('priority', 'Priority', 'All priorities', asPairs([...priorities])),
    choice<TaskFilters>('assigned_to', 'Assignee', 'Everyone', who),
    byCustomer,
    ...(isTyped
      ? []
      : [choice<TaskFilters>('task_type_id', 'Type', 'All types', asPairs(types), { more: true })]),
    ...(can(person, 'view_task_is_notified')
      ? [
          choice<TaskFilters>(
            'notified',
            'Notified',
            'Any notification status',
            [
              [1, 'Customer notified'],
              [0, 'Not notified'],
            ],
            { more: true },
          ),
        ]
      : []),
    days<TaskFilters>('from', 'to', person ? dateNames[ownDate(person.role_id)] : 'Due date', { more: true }),
    days<TaskFilters>('created_from', 'created_to', 'Created', { more: true }),
    days<TaskFilters>('status_from', 'status_to', 'Status set', { more: true }),
  ]
}
