import { z } from 'zod'
import { isAdminRole } from '#shared/access.ts'
import { endpoint, type DecidedAccess } from '#shared/endpoint.ts'
import { reportFilters } from '#shared/report-period.ts'
import { recordId, text } from '#shared/schemas.ts'
import { leadActivityNames } from '#features/crm/leads/rules.ts'

const conditions = {
  lead_for: recordId.optional(),
  assignee: z.union([z.enum(['me', 'none']), recordId]).optional(),
  source_filter: text(80).default('all'),
}
/** The assignee is the person who had the lead at the time; `source_filter` is the name of a source, or `none`. */
export const SalesReportFilters = reportFilters(conditions)
export type SalesReportFilters = z.output<typeof SalesReportFilters>

const count = z.number().int()
/** A number of the period, and of the one that it is compared with; null if with none. */
const Counted = z.object({ count, before: count.nullable() })
/** Amounts in the first year by currency; amounts in different currencies are never added. */
const Amounts = z.array(z.object({ currency: z.string(), count, sum: z.number() }))
/** How often each activity took place, and with how many leads. */
const Activities = z.record(z.enum(leadActivityNames), z.object({ count, leads: count }))
export type Activities = z.output<typeof Activities>
const Group = { received: count, demos: count, won: count, lost: count, amounts: Amounts }

export const SalesReport = z.object({
  from: z.string(),
  to: z.string(),
  /** The period that this one is compared with. */
  before_from: z.string().nullable(),
  before_to: z.string().nullable(),
  /** Leads that came in, by their lead date. */
  received: Counted,
  /** Leads that left the status of their creation for the first time, except for those that were rejected. */
  contacted: Counted,
  /** Those of them that did so within a day. */
  contacted_in_a_day: count,
  /** Leads with their first completed session. */
  demos: Counted,
  /** Leads that were won for the first time; the status is null if none stands for that. */
  won: Counted.extend({ status: count.nullable() }),
  /** Leads that were rejected for the first time. */
  lost: Counted,
  /** All currencies that any amount of the report has, the largest amount first. */
  currencies: z.array(
    z.object({
      currency: z.string(),
      /** Amounts of the won leads, as the leads have them now. */
      won: z.object({ count, sum: z.number(), before: z.number().nullable() }),
      /** Leads that are open now. */
      open: z.object({ count, sum: z.number(), weighted: z.number() }),
      /** Five months before the current one, it, and three after it: won, and open by the expected close. */
      months: z.array(z.object({ month: z.string(), won: z.number(), weighted: z.number() })),
    }),
  ),
  /** All statuses in the order of their list. */
  statuses: z.array(
    z.object({
      status: count,
      name: z.string(),
      tone: z.string(),
      probability: count,
      /** Leads that got the status for the first time. */
      reached: count,
      before: count.nullable(),
      /** Seconds that leads had the status until they left it in the period, as often as they did; null if none did. */
      median: count.nullable(),
      p90: count.nullable(),
      /** Leads that have the status now. */
      now: count,
    }),
  ),
  days: z.array(
    z.object({ day: z.string(), received: count, contacted: count, demos: count, won: count, lost: count }),
  ),
  /** For roles 0 and 1 everyone, for others only themselves; the ID is null for leads without an assignee. */
  people: z.array(z.object({ id: count.nullable(), name: z.string(), ...Group })),
  /** The name is null for leads without a source. */
  sources: z.array(z.object({ name: z.string().nullable(), ...Group })),
  products: z.array(z.object({ id: count, name: z.string(), ...Group })),
  /** Activities by the person who did them: for roles 0 and 1 of everyone, for others only their own; and of all together. */
  activities: z.object({
    all: Activities,
    people: z.array(z.object({ id: count.nullable(), name: z.string(), done: Activities })),
  }),
  /** Rejected leads by the reason at that time; the ID is null for those without a reason. */
  reasons: z.array(z.object({ id: count.nullable(), name: z.string(), lost: count })),
})
export type SalesReport = z.output<typeof SalesReport>

/** The leads of one cohort: those that came in during a period. */
export const SalesCohort = z.object({
  from: z.string(),
  to: z.string(),
  received: count,
  /** All statuses in the order of their list, with how many of the leads ever had them, until now. */
  statuses: z.array(z.object({ status: count, name: z.string(), tone: z.string(), reached: count })),
})
export type SalesCohort = z.output<typeof SalesCohort>

/** The tables of the export, named as their files. */
export const salesTables = [
  'summary',
  'amounts',
  'funnel',
  'cohort',
  'days',
  'months',
  'reasons',
  'assignees',
  'sources',
  'products',
  'activities',
] as const
export type SalesTable = (typeof salesTables)[number]

/** Numbers of one person are for roles 0 and 1, and for that person. */
const ownOrAdmin: DecidedAccess = {
  says: 'lead_list; an assignee other than the caller: Super Admin and Admin only',
  permissions: ['lead_list'],
  accessFor: () => 'lead_list',
  allows: (viewer, { query }) =>
    viewer.permissions.has('lead_list') &&
    (typeof query.assignee !== 'number' || query.assignee === viewer.id || isAdminRole(viewer.role_id)),
}

export const salesReport = {
  show: endpoint({
    method: 'GET',
    path: '/admin/users/sales-report',
    summary:
      'Get which leads came in, were contacted, had a demo, were won or lost in a period of at most 366 days, by status, assignee, source, product, and reason, with amounts, and what people did for leads, compared with another period.',
    access: ownOrAdmin,
    product: ['query.lead_for'],
    query: SalesReportFilters,
    response: z.object({ data: SalesReport }),
  }),
  cohort: endpoint({
    method: 'GET',
    path: '/admin/users/sales-report/cohort',
    summary: 'Get how many of the leads that came in during a period have had each status until now.',
    access: ownOrAdmin,
    product: ['query.lead_for'],
    query: SalesReportFilters,
    response: z.object({ data: SalesCohort }),
  }),
  export: endpoint({
    method: 'GET',
    path: '/admin/users/sales-report/export',
    summary: 'Export a table of the sales report as CSV, or all tables in a zip archive.',
    access: ownOrAdmin,
    product: ['query.lead_for'],
    query: reportFilters({ ...conditions, table: z.enum(salesTables).optional() }),
  }),
}
