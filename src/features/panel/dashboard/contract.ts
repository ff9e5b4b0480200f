import { z } from 'zod'
import { everything } from '#shared/changed.ts'
import { adminsOnly, endpoint } from '#shared/endpoint.ts'
import { instant, plainDay, recordId } from '#shared/schemas.ts'
import { periodId } from '#shared/trend.ts'
import { PostNumbers } from '#features/cms/articles/posts/numbers.contract.ts'
import { LeadNumbers } from '#features/crm/leads/numbers/contract.ts'
import { OrganizationNumbers } from '#features/crm/organizations/numbers.contract.ts'
import { TicketNumbers } from '#features/crm/support/numbers.contract.ts'
import { TaskNumbers } from '#features/tasks/tasks/numbers.contract.ts'
import { Workload } from '#features/tasks/tasks/workload.contract.ts'

const AuditEntry = z.object({
  id: z.number().int(),
  at: instant,
  who: z.string(),
  /** The action, as in the audit log, such as `Changed status`. */
  act: z.string(),
  /** The target, such as `role 9`, or the name of a record that the caller can see. */
  target: z.string().nullable(),
  /** The affected record, if the caller can see it. */
  record: z.object({ type: z.string(), id: z.number().int() }).nullable(),
})
export type AuditEntry = z.output<typeof AuditEntry>

const cardIds = z
  .array(z.string('This must be text.').regex(/^[a-z][a-z0-9-]{0,39}$/, 'This isn’t a card.'))
  .max(100, 'Send 100 cards or fewer.')

/** All cards, those about customers, or those about content. */
export const dashboardNames = ['all', 'crm', 'cms'] as const
export type DashboardName = (typeof dashboardNames)[number]
const dashboardName = z.enum(dashboardNames).default('all')

/** How a person arranged the cards of a dashboard: the hidden ones, and the order of all; cards in neither are as by default. */
export const Arrangement = z.object({ hidden: cardIds, order: cardIds })
export type Arrangement = z.output<typeof Arrangement>

/** The numbers of each area, as its own call returns them, without those whose list the caller can't see. */
const Numbers = z.object({
  leads: LeadNumbers.optional(),
  tickets: TicketNumbers.optional(),
  organizations: OrganizationNumbers.optional(),
  development: TaskNumbers.optional(),
  designer: TaskNumbers.optional(),
  workload: Workload.optional(),
  posts: PostNumbers.optional(),
})
export type Numbers = z.output<typeof Numbers>

export const dashboard = {
  numbers: endpoint({
    method: 'GET',
    path: '/admin/dashboard/numbers',
    summary:
      'Get the numbers of all areas whose lists the caller can see in one request, for one product or all of the caller’s products.',
    access: 'signed-in',
    product: ['query.product_id'],
    query: z.object({ product_id: recordId.optional(), today: plainDay.optional(), period: periodId }),
    response: Numbers,
  }),
  lastChanges: endpoint({
    method: 'GET',
    path: '/admin/dashboard',
    shows: [everything],
    summary: 'List everyone’s latest changes, with record names.',
    access: adminsOnly,
    response: z.object({ audit: z.array(AuditEntry) }),
  }),
  arrangement: endpoint({
    method: 'GET',
    path: '/admin/dashboard/cards',
    shows: ['arrangement'],
    summary: 'Get how the caller arranged the cards of a dashboard.',
    access: 'signed-in',
    query: z.object({ dashboard: dashboardName }),
    response: z.object({ data: Arrangement }),
  }),
  arrange: endpoint({
    method: 'PUT',
    path: '/admin/dashboard/cards',
    summary: 'Save which cards of a dashboard the caller hides, and the order of the others.',
    act: 'Arranged the dashboard',
    access: 'signed-in',
    body: Arrangement.extend({ dashboard: dashboardName }),
    response: z.object({ message: z.string() }),
  }),
}
