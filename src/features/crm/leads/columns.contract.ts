import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import { instant, recordId } from '#shared/schemas.ts'
import { Lead, leadsPerPage } from '#features/crm/leads/contract.ts'
import { listed } from '#features/crm/leads/operations.contract.ts'

/** Values of columns of the lead list that its rows don't have, by field; long texts are cut to 500 characters. */
const ColumnValues = Lead.pick({
  contact_role: true,
  timezone: true,
  implement_date: true,
  cog_types: true,
  additional_info: true,
  answer: true,
  join: true,
  reference: true,
  details: true,
  website_up: true,
  created_at: true,
  created_by_name: true,
  updated_at: true,
  organization_name: true,
}).extend({
  reject_reason: z.string().nullable(),
  other_contacts: z.string().nullable(),
  last_activity: instant,
})
export type MoreField = keyof z.output<typeof ColumnValues>
const moreFields = Object.keys(ColumnValues.shape) as MoreField[]

const MoreOfLead = ColumnValues.partial().extend({ lead_id: z.number().int() })
export type MoreOfLead = z.output<typeof MoreOfLead>

export const leadColumnValues = {
  list: endpoint({
    method: 'GET',
    path: '/admin/users/lead-columns',
    shows: ['leads', 'lists'],
    summary: `Get further fields of up to ${leadsPerPage} leads of the lead list, for its columns. Leads that the caller can’t see are left out.`,
    access: 'lead_detail',
    query: z.object({
      ids: listed(recordId, leadsPerPage),
      fields: listed(z.enum(moreFields), moreFields.length),
    }),
    response: z.object({ data: z.array(MoreOfLead) }),
  }),
}
