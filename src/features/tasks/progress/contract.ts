import { z } from 'zod'
import { endpoint, type DecidedAccess } from '#shared/endpoint.ts'
import { plainDay, recordId, text } from '#shared/schemas.ts'
import { pageNumber } from '#shared/page.ts'
import { listReply } from '#shared/record.contract.ts'
import { zoneName } from '#shared/zones.ts'

export const lineSorts = ['day', 'person', 'task', 'title', 'hours'] as const

export const ProgressFilters = z.object({
  page: pageNumber.default(1),
  team_id: recordId.optional(),
  user_id: recordId.optional(),
  task_id: recordId.optional(),
  startDate: plainDay.optional(),
  endDate: plainDay.optional(),
  search: text(200).default(''),
  product_id: recordId.optional(),
  column: z.enum(lineSorts).default('day'),
  direction: z.enum(['asc', 'desc']).default('desc'),
})
export type ProgressFilters = z.output<typeof ProgressFilters>

export const ProgressLine = z.object({
  id: z.number().int(),
  day: z.string(),
  person_id: z.number().int(),
  person: z.string(),
  task_id: z.number().int(),
  task: z.string(),
  title: z.string(),
  hours: z.number(),
  product_id: z.number().int(),
})
export type ProgressLine = z.output<typeof ProgressLine>

const Sum = z.object({ key: z.string(), name: z.string(), hours: z.number() })
export type Sum = z.output<typeof Sum>

/** Filtering by another person requires a separate permission; viewers can always filter by themselves. */
const byPerson: DecidedAccess = {
  says: 'view_task_progress, and task_developer_filter for other people',
  permissions: ['view_task_progress', 'task_developer_filter'],
  allows: (viewer, { query }) =>
    viewer.permissions.has('view_task_progress') &&
    (query.user_id === undefined ||
      query.user_id === viewer.id ||
      viewer.permissions.has('task_developer_filter')),
}
const product = ['query.product_id'] as const
const base = '/common/task'

export const progress = {
  list: endpoint({
    method: 'GET',
    path: `${base}/get-all-taskprogress`,
    shows: ['task', 'designer_task'],
    // A report: most changes of tasks don't change its hours.
    live: false,
    summary: 'List reported hours, 300 entries per page, with totals for all matching entries.',
    access: byPerson,
    product,
    query: ProgressFilters,
    response: listReply(ProgressLine).extend({
      from: z.string(),
      to: z.string(),
      hours: z.number(),
      by_person: z.array(Sum),
      by_day: z.array(Sum),
      by_task: z.array(Sum),
      by_product: z.array(Sum),
    }),
  }),
  export: endpoint({
    method: 'GET',
    path: `${base}/get-all-taskprogress/export`,
    summary: 'Export reported hours as CSV in the order of the list, preceded by the filters and totals.',
    access: byPerson,
    product,
    query: ProgressFilters.extend({ zone: zoneName.default('UTC') }),
  }),
  chart: endpoint({
    method: 'GET',
    path: `${base}/progress-chart`,
    summary:
      'Get hours by day and person for all matching entries. Only the eight people with the most hours are listed separately.',
    access: byPerson,
    product,
    query: ProgressFilters.omit({ page: true, column: true, direction: true }),
    response: z.object({
      people: z.array(Sum),
      data: z.array(z.object({ day: z.string(), key: z.string(), hours: z.number() })),
    }),
  }),
  gaps: endpoint({
    method: 'GET',
    path: `${base}/progress-gaps`,
    shows: ['staff', 'task', 'designer_task'],
    // A report, like the list.
    live: false,
    summary: 'List workdays up to today with no reported hours, by person, excluding holidays and days away.',
    access: byPerson,
    product,
    query: ProgressFilters.omit({ page: true, task_id: true, column: true, direction: true }),
    response: z.object({
      data: z.array(
        z.object({
          person_id: z.number().int(),
          person: z.string(),
          days: z.array(z.string()),
          away: z.array(z.string()),
          reminded_today: z.boolean(),
        }),
      ),
      working_days: z.number().int(),
    }),
  }),
  away: endpoint({
    method: 'POST',
    path: `${base}/progress-away`,
    summary: 'Mark or unmark a person as away on a day.',
    act: 'Changed days away',
    access: 'view_task_progress',
    body: z.object({ staff_id: recordId, day: plainDay, away: z.boolean().default(true) }),
    response: z.object({ message: z.string() }),
  }),
  remind: endpoint({
    method: 'POST',
    path: `${base}/progress-remind`,
    summary:
      'Email a person a reminder about their missing hours. Returns 409 if they’ve already been reminded today.',
    act: 'Sent a missing hours reminder',
    access: 'view_task_progress',
    body: z.object({ staff_id: recordId, days: z.array(plainDay).min(1).max(100) }),
    response: z.object({ message: z.string() }),
  }),
  teams: endpoint({
    method: 'GET',
    path: `${base}/progress-teams`,
    shows: ['lists'],
    summary: 'List teams with their members.',
    access: 'view_task_progress',
    response: z.object({
      data: z.array(
        z.object({
          id: z.number().int(),
          name: z.string(),
          members: z.array(z.object({ id: z.number().int(), name: z.string() })),
        }),
      ),
    }),
  }),
}
