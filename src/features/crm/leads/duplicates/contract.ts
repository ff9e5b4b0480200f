import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import { recordId } from '#shared/schemas.ts'

/** What two leads have in common: an address, a number, the website or domain, the name, or nearly the name. */
export const sameness = ['email', 'phone', 'companyName', 'similarName', 'domain'] as const
export type Sameness = (typeof sameness)[number]

/** The most groups in a reply. */
export const mostGroups = 50

const DuplicateLead = z.object({
  lead_id: z.number().int(),
  lead_for: z.number().int(),
  companyName: z.string(),
  contactName: z.string(),
  email: z.string(),
  phone: z.string(),
  lead_date: z.string(),
  status: z.number().int(),
  /** Null if unassigned. */
  assignee: z.string().nullable(),
})
export type DuplicateLead = z.output<typeof DuplicateLead>

/** Leads of one product that may be the same; the oldest is first. */
const DuplicateGroup = z.object({ same: z.array(z.enum(sameness)), leads: z.array(DuplicateLead) })
export type DuplicateGroup = z.output<typeof DuplicateGroup>

export const leadDuplicates = {
  groups: endpoint({
    method: 'GET',
    path: '/admin/users/duplicate-leads',
    shows: ['leads'],
    summary: `List groups of leads that may be the same, by address, phone number, domain, or name, the most likely first; at most ${mostGroups}.`,
    access: 'lead_list',
    product: ['query.lead_for'],
    query: z.object({ lead_for: recordId.optional() }),
    response: z.object({ data: z.array(DuplicateGroup), total: z.number().int() }),
  }),
  mark: endpoint({
    method: 'POST',
    path: '/admin/users/not-duplicates',
    act: 'Marked as not a duplicate',
    summary: 'Mark a lead as not a duplicate of others, or, with `is_duplicate`, remove the marks.',
    access: 'lead_edit',
    body: z.object({
      lead_id: recordId,
      others: z.array(recordId).min(1).max(100),
      is_duplicate: z.boolean().default(false),
    }),
    response: z.object({ message: z.string() }),
  }),
}
