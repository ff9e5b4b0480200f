import { z } from 'zod'
import { adminsOnly, endpoint } from '#shared/endpoint.ts'
import { instant } from '#shared/schemas.ts'

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

/** How a person arranged the cards: the hidden ones, and the order of all; cards in neither are as by default. */
export const Arrangement = z.object({ hidden: cardIds, order: cardIds })
export type Arrangement = z.output<typeof Arrangement>

export const dashboard = {
  lastChanges: endpoint({
    method: 'GET',
    path: '/admin/dashboard',
    summary: 'List everyone’s latest changes, with record names.',
    access: adminsOnly,
    response: z.object({ audit: z.array(AuditEntry) }),
  }),
  arrangement: endpoint({
    method: 'GET',
    path: '/admin/dashboard/cards',
    summary: 'Get how the caller arranged the cards of the dashboard.',
    access: 'signed-in',
    response: z.object({ data: Arrangement }),
  }),
  arrange: endpoint({
    method: 'PUT',
    path: '/admin/dashboard/cards',
    summary: 'Save which cards of the dashboard the caller hides, and the order of the others.',
    act: 'Arranged the dashboard',
    access: 'signed-in',
    body: Arrangement,
    response: z.object({ message: z.string() }),
  }),
}
