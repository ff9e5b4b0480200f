import { z } from 'zod'
import { weekdays } from '#shared/dates.ts'
import { TicketFilters, type TicketRow } from '#features/crm/support/contract.ts'
import { ticketFields } from '#features/crm/support/fields.ts'
import { clockKinds, ticketPriorities, type TicketEvent } from '#features/crm/support/rules.ts'
import { useAssignable } from '#features/crm/support/web/useAssignable.ts'
import { rangeText } from '#web/dates/DateRangeField.tsx'
import { choice, days, type Filter } from '#web/filter/filters.tsx'
import { useOrganizationFilter } from '#web/filter/organizationFilter.tsx'
import { SearchBox } from '#web/filter/SearchBox.tsx'
import { asPairs, useLists } from '#web/filter/useOptions.ts'
import { inboxParameters } from '#web/list/inbox/useLayout.ts'
import type { List } from '#web/list/useList.ts'

export const ticketLayouts = ['inbox', 'table', 'board'] as const
export const PageFilters = TicketFilters.omit({ ids: true }).extend({
  ...inboxParameters,
  layout: z.enum(ticketLayouts).optional(),
})
export type PageFilters = z.output<typeof PageFilters>

const inMore = { more: true } as const

const categorySearch: Filter<PageFilters> = {
  id: 'category_search',
  more: true,
  name: 'Category contains',
  control: ({ category_search }, onChange) => (
    <SearchBox
      label="Category contains"
      value={category_search}
      onSearch={(text) => onChange({ category_search: text })}
    />
  ),
  says: ({ category_search }) =>
    category_search === '' ? undefined : `Category contains “${category_search}”`,
  cleared: { category_search: '' },
}

const eventNames: Record<TicketEvent, string> = {
  answered: 'Answered',
  replied: 'Replied to',
  solved: 'Solved',
  reopened: 'Reopened',
  target_met: 'Service target met',
  target_missed: 'Service target missed',
  rated_good: 'Rated good',
  rated_bad: 'Rated bad',
}

/** The weekday and the hours of a number of the report. Set only by a link from there, so it has no control. */
const byHour: Filter<PageFilters> = {
  id: 'created_weekday',
  control: () => null,
  says: ({ created_weekday, created_hour_from, created_hour_to }) => {
    const parts = [
      created_weekday === undefined ? '' : `on ${weekdays[created_weekday % 7]}`,
      created_hour_from === undefined ? '' : `from ${created_hour_from}:00`,
      created_hour_to === undefined ? '' : `until ${created_hour_to}:59`,
    ].filter(Boolean)
    return parts.length === 0 ? undefined : `Created ${parts.join(' ')}`
  },
  cleared: { created_weekday: undefined, created_hour_from: undefined, created_hour_to: undefined },
}

type People = readonly { id: number; name: string }[]

function whoText(id: number | undefined, people: People): string {
  if (id === undefined) return ''
  return id === 0 ? ', unassigned' : ` by ${people.find((one) => one.id === id)?.name ?? `#${id}`}`
}

/** The event that a number of the report counts. Set only by a link from there, so it has no control. */
const byEvent = (people: People): Filter<PageFilters> => ({
  id: 'event',
  control: () => null,
  says: ({ event, event_from, event_to, event_by, event_target }) => {
    if (!event) return undefined
    const who = whoText(event_by, people)
    const of = event_target === undefined ? '' : ` (${clockKinds[event_target].toLowerCase()})`
    return `${eventNames[event]}${of}${who}: ${rangeText(event_from, event_to) || 'any time'}`
  },
  cleared: {
    event: undefined,
    event_from: undefined,
    event_to: undefined,
    event_by: undefined,
    event_target: undefined,
  },
})

/** Returns the filters of the ticket list, each with its control, chip, and reset. */
export function useTicketFilters(list: List<TicketRow, typeof PageFilters>): Filter<PageFilters>[] {
  const { ticket_statuses, ticket_categories, ticket_tags } = useLists(
    'ticket_statuses',
    'ticket_categories',
    'ticket_tags',
  )
  const assignable = useAssignable()
  const byOrganization = useOrganizationFilter<PageFilters>(list.filters.organization, {
    none: 'No organization',
  })
  return [
    choice<PageFilters>('status', ticketFields.status.label, 'All statuses', asPairs(ticket_statuses)),
    choice<PageFilters>('assignee', ticketFields.assignee_id.label, 'Anyone', [
      ['me', 'Me'],
      ['none', 'Unassigned'],
      ...asPairs(assignable),
    ]),
    choice<PageFilters>(
      'category',
      ticketFields.category.label,
      'All categories',
      asPairs(ticket_categories),
      inMore,
    ),
    byOrganization,
    choice<PageFilters>(
      'unread',
      'Read by the desk',
      'Read and unread',
      [
        [1, 'Unread'],
        [0, 'Read'],
      ],
      inMore,
    ),
    choice<PageFilters>(
      'priority',
      ticketFields.priority.label,
      'Any priority',
      asPairs(ticketPriorities),
      inMore,
    ),
    choice<PageFilters>('tag', 'Tag', 'Any tag', asPairs(ticket_tags), inMore),
    choice<PageFilters>('overdue', 'Delivery', 'Any delivery date', [[1, 'Overdue']], inMore),
    choice<PageFilters>(
      'target',
      ticketFields.target_due_at.label,
      'Any service target',
      [
        ['overdue', 'Overdue'],
        ['soon', 'Within 24 hours'],
      ],
      inMore,
    ),
    choice<PageFilters>('email_failed', 'Email', 'Any email', [[1, 'Email failed']], inMore),
    choice<PageFilters>(
      'incident',
      ticketFields.incident_id.label,
      'Any ticket',
      [
        ['heads', 'Incidents'],
        ['linked', 'Part of an incident'],
      ],
      inMore,
    ),
    days<PageFilters>('created_from', 'created_to', 'Created', inMore),
    byHour,
    categorySearch,
    byEvent(assignable),
  ]
}
