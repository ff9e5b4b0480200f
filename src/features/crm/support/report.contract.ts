import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import { reportFilters } from '#shared/report-period.ts'
import { code, recordId } from '#shared/schemas.ts'
import { idOrZero } from '#features/crm/support/parts.contract.ts'
import { Rating } from '#features/crm/support/ratings.contract.ts'
import { clockKindNames } from '#features/crm/support/rules.ts'

/** Organizations with the most tickets; the others are not listed. */
export const mostOrganizations = 10

const conditions = {
  category: code.optional(),
  organization: idOrZero.optional(),
  assignee: z.union([z.enum(['me', 'none']), recordId]).optional(),
}
export const ReportFilters = reportFilters(conditions)
export type ReportFilters = z.output<typeof ReportFilters>

/** The tables of the export, named as their files. */
export const supportTables = [
  'summary',
  'days',
  'hours',
  'categories',
  'organizations',
  'people',
  'targets',
  'ages',
  'satisfaction',
  'satisfaction-by-organization',
] as const
export type SupportTable = (typeof supportTables)[number]

const count = z.number().int()
/** Numbers of the period, and of the one that it is compared with; null if with none. */
const Counted = z.object({ count, before: count.nullable() })
/** Seconds; null if nothing was measured. */
const seconds = count.nullable()
const Duration = z.object({ median: seconds, p90: seconds, before: seconds })

const Group = z.object({
  /** ID of the category or the organization; null for tickets without an organization. */
  id: count.nullable(),
  name: z.string(),
  received: count,
  answered: count,
  solved: count,
  reopened: count,
  /** Median number of seconds until the first answer. */
  first_response: seconds,
})

const Replies = z.object({ count, tickets: count })

export const SupportReport = z.object({
  from: z.string(),
  to: z.string(),
  /** The period that this one is compared with. */
  before_from: z.string().nullable(),
  before_to: z.string().nullable(),
  /** Tickets that were created. */
  received: Counted,
  /** Tickets whose first answer was sent. */
  answered: Counted,
  /** Tickets that were resolved or closed; each counts once, on the last day that this happened. */
  solved: Counted,
  /** Resolved or closed tickets that were opened again. */
  reopened: Counted,
  /** Tickets that are open now. */
  open: count,
  /** From the ticket's creation to its first answer. */
  first_response: Duration,
  /** From the ticket's creation or reopening to its solution, without the time in which it waited for the customer. */
  resolution: Duration,
  days: z.array(
    z.object({ day: z.string(), received: count, answered: count, solved: count, reopened: count }),
  ),
  /** Received tickets by weekday (1 is Monday) and hour of the reader's time zone. */
  hours: z.array(z.object({ weekday: count, hour: count, received: count })),
  categories: z.array(Group),
  organizations: z.array(Group),
  /** All replies that were sent and not undone, and the tickets that got them. */
  replies: Replies,
  /**
   * For roles 0 and 1 everyone, for others only themselves: first answers, solved tickets by their assignee, replies,
   * and the tickets whose last rating in the period is of an answer by this person. The row without an ID is what no one
   * did, such as tickets that were solved without an assignee.
   */
  people: z.array(
    z.object({
      id: recordId.nullable(),
      name: z.string(),
      answered: count,
      solved: count,
      first_response: seconds,
      replies: Replies,
      good: count,
      bad: count,
    }),
  ),
  /**
   * Tickets with a service target that was met or missed, by kind. One that was missed counts when the work was done,
   * and until then when it was due. Empty if none ended.
   */
  targets: z.array(z.object({ kind: z.enum(clockKindNames), met: count, missed: count })),
  /** Tickets with a rating, each with its last one in the period, and the answers that asked for one. */
  ratings: z.object({
    asked: count,
    good: count,
    bad: count,
    /** Share of good ratings in the period that this one is compared with, from 0 to 1; null if there are none. */
    before: z.number().nullable(),
    /** The newest ratings with a comment. */
    comments: z.array(Rating.extend({ ticket_id: count, title: z.string() })),
    /** The organizations with the most ratings; the ID is null for tickets without an organization. */
    organizations: z.array(z.object({ id: count.nullable(), name: z.string(), good: count, bad: count })),
  }),
  /** Open tickets by the day they were created, and those of them that missed a service target; null is no limit. */
  ages: z.array(
    z.object({ from: z.string().nullable(), to: z.string().nullable(), open: count, overdue: count }),
  ),
})
export type SupportReport = z.output<typeof SupportReport>

export const supportReport = {
  show: endpoint({
    method: 'GET',
    path: '/admin/support/report',
    summary:
      'Get what came in, what was answered and solved, and how fast, in a period of at most 366 days, compared with the period before it, the same days last year, or nothing.',
    access: 'all_tickets_list',
    query: ReportFilters,
    response: z.object({ data: SupportReport }),
  }),
  export: endpoint({
    method: 'GET',
    path: '/admin/support/report/export',
    summary:
      'Export a table of the report as CSV, or all tables in a zip archive; unlike the report, they have all organizations and all comments of ratings.',
    access: 'all_tickets_list',
    query: reportFilters({ ...conditions, table: z.enum(supportTables).optional() }),
  }),
}
