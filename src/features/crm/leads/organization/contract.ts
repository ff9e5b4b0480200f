import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import { instant, recordId, requiredText, text, wholeNumber } from '#shared/fields.ts'
import { zoneName } from '#shared/zones.ts'

/** Status of an organization (A §4). */
export const organizationStatuses = { 1: 'Active', 2: 'Trial', 3: 'Inactive', 4: 'Warning' } as const

export const Organization = z.object({
  organization_id: z.number().int(),
  name: z.string(),
  status: z.number().int(),
  product_id: z.number().int(),
  timezone: z.string(),
  state: z.string(),
  country: z.string(),
  lead_id: z.number().int().nullable(),
  created_at: instant,
})

/** What is left out, the lead says: its company, country and time zone; a new organization is on trial. */
export const NewOrganization = z.preprocess(
  (input) => (typeof input === 'object' && input !== null && !('lead_id' in input) && 'id' in input ? { ...input, lead_id: input.id } : input),
  z.object({
    lead_id: recordId,
    name: requiredText(200).optional(),
    status: wholeNumber(1, 4).optional(),
    timezone: zoneName.optional(),
    state: text(80).optional(),
    country: text(80).optional(),
  }),
)

export const organizationOfLead = {
  create: endpoint({
    method: 'POST',
    path: '/admin/users/lead-create-organization',
    summary: 'Makes an organization of a lead, linked both ways; 409 with the organization when there is one.',
    access: 'lead_create_organization',
    body: NewOrganization,
    response: z.object({ message: z.string(), data: Organization }),
  }),
}
