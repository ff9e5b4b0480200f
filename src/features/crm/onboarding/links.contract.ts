import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import { recordId, webAddress, webAddressOrEmpty } from '#shared/schemas.ts'
import { addresses } from '#features/crm/onboarding/addresses.contract.ts'

export const MeetingLink = z.object({
  lead_id: recordId,
  lead_onboarding_id: recordId,
  send_attachment_link: webAddressOrEmpty.default(''),
  /** If absent, the link and the addresses of the stage. */
  send_meeting_link: webAddress.optional(),
  contact_emails: addresses.optional(),
  lead_onboaring_stage_id: recordId.optional(),
})

/** An email with a meeting link, as it would be sent. */
const LinkPreview = z.object({
  to: z.array(z.string()),
  subject: z.string(),
  html: z.string(),
  text: z.string(),
})

export const meetingLinks = {
  previewMeetingLink: endpoint({
    method: 'POST',
    reads: true,
    path: '/admin/users/send-meeting-link/preview',
    summary: 'Preview the meeting link email.',
    access: 'onboarding_send_attachment_link',
    body: MeetingLink,
    response: z.object({ data: LinkPreview }),
  }),
  sendMeetingLink: endpoint({
    method: 'POST',
    path: '/admin/users/send-meeting-link',
    alsoAt: ['/admin/send-meeting-link'],
    summary: 'Email an onboarding’s meeting link, optionally with an attachment link.',
    act: 'Sent meeting link',
    access: 'onboarding_send_attachment_link',
    body: MeetingLink,
    response: z.object({ message: z.string(), mail_id: z.number().int() }),
  }),
}
