import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import { changedReply, editBaseFields } from '#shared/record.contract.ts'
import { emailOrEmpty, lineWithoutInvisible, recordId, requiredText, text } from '#shared/schemas.ts'

/** A person of a lead besides its primary contact, which is in the lead's `contactName`, `email`, and `phone`. */
export const LeadContact = z.object({
  id: z.number().int(),
  lead_id: z.number().int(),
  name: z.string(),
  role: z.string(),
  email: z.string(),
  phone: z.string(),
  version: z.number().int(),
})
export type LeadContact = z.output<typeof LeadContact>

/** The editable fields of a contact. */
export const ContactInput = z.object({
  name: requiredText(200),
  role: text(80),
  email: emailOrEmpty,
  phone: lineWithoutInvisible(60).meta({
    description: 'A phone number, which can have an extension, such as +1 212 555 0142 ext. 12.',
  }),
})

const path = '/admin/users/lead-contacts'
const params = z.object({ id: recordId })
const ContactChanged = changedReply(LeadContact)

export const leadContacts = {
  ofLead: endpoint({
    method: 'GET',
    path,
    shows: ['leads'],
    summary:
      'List the contacts of a lead besides its primary contact, in the order in which they were added.',
    access: 'lead_detail',
    query: z.object({ lead_id: recordId }),
    response: z.object({ data: z.array(LeadContact) }),
  }),
  add: endpoint({
    method: 'POST',
    path,
    summary: 'Add a contact to a lead, which can have up to 50 besides its primary contact.',
    act: 'Added a contact',
    access: 'lead_edit',
    body: ContactInput.partial().required({ name: true }).extend({ lead_id: recordId }),
    response: ContactChanged,
  }),
  change: endpoint({
    method: 'POST',
    path: `${path}/{id}`,
    summary:
      'Change a contact of a lead. Returns 409 with the current contact if someone else changed the same field after `version`.',
    act: 'Changed a contact',
    access: 'lead_edit',
    params,
    notFields: ['base'],
    body: ContactInput.partial().extend(editBaseFields),
    response: ContactChanged,
  }),
  makePrimary: endpoint({
    method: 'POST',
    path: `${path}/{id}/primary`,
    summary:
      'Make a contact the primary contact of its lead: `contactName`, `contact_role`, `email`, and `phone` of the lead become those of the contact, and the former primary contact becomes one of the others.',
    act: 'Changed the primary contact',
    access: 'lead_edit',
    params,
    response: changedReply(z.array(LeadContact)),
  }),
  remove: endpoint({
    method: 'DELETE',
    path: `${path}/{id}`,
    summary: 'Remove a contact from its lead.',
    act: 'Removed a contact',
    access: 'lead_edit',
    params,
    response: changedReply(z.object({ id: z.number().int() })),
  }),
}
