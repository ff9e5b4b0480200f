import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import { knownPlaceholders } from '#shared/placeholders.ts'
import { headerLine, recordId, requiredText, subjectLine, text } from '#shared/schemas.ts'
import { MailRow } from '#shared/mails.ts'
import { NewRecordMail } from '#shared/record-mail.contract.ts'

const address = requiredText(254).refine(
  (value) => z.email().safeParse(value).success,
  'Enter a valid email address.',
)

/** An email to a lead; if the subject or message is missing, the template provides it. */
const mailFields = z.object({
  lead_id: recordId,
  lead_name: headerLine(200),
  lead_email: address,
  subject: knownPlaceholders(subjectLine).optional(),
  message: knownPlaceholders(requiredText(10_000)).optional(),
})
/** With `email`, exactly this email is sent, instead of the template with the subject and message. */
const written = { email: NewRecordMail.optional() }
export const DemoMail = mailFields
export const ProspectionMail = mailFields.extend({
  /** Questions to include in the email, without duplicates. */
  question_ids: z.array(recordId).max(50).default([]),
})

/** An email as it would be sent. */
export const MailPreview = z.object({
  from: z.string(),
  to: z.string(),
  subject: z.string(),
  message: z.string(),
  /** The message as HTML, for an editor. */
  content: z.string(),
  html: z.string(),
  text: z.string(),
})
export type MailPreview = z.output<typeof MailPreview>

const Queued = z.object({ message: z.string(), data: MailRow })
const Previewed = z.object({ data: MailPreview })

/** A prospecting question with the lead's answer and the answers of leads merged into it. */
export const Question = z.object({
  id: z.number().int(),
  name: z.string(),
  answer: z.string(),
  who: z.string().nullable(),
  merged: z.array(
    z.object({ lead_id: z.number().int(), companyName: z.string(), answer: z.string(), who: z.string() }),
  ),
})
export type Question = z.output<typeof Question>

export const Answers = z.object({
  lead_id: recordId,
  answers: z
    .array(z.object({ question_id: recordId, answer: text(2000) }))
    .min(1, 'Nothing to save.')
    .max(50),
})

export const leadMails = {
  ofLead: endpoint({
    method: 'GET',
    path: '/admin/users/lead-mails',
    shows: ['leads', 'mails'],
    summary:
      'List the emails sent to a lead and to leads merged into it, with their delivery status, newest first, up to 100.',
    access: 'lead_detail',
    query: z.object({ lead_id: recordId }),
    response: z.object({ data: z.array(MailRow), is_on: z.boolean() }),
  }),
  scheduleDemo: endpoint({
    method: 'POST',
    path: '/admin/users/schedule-demo-mail',
    summary: 'Send a lead the demo email.',
    act: 'Sent a demo email',
    access: 'lead_send_prospection_mail',
    body: DemoMail.extend(written),
    response: Queued,
  }),
  previewScheduleDemo: endpoint({
    method: 'POST',
    reads: true,
    path: '/admin/users/schedule-demo-mail/preview',
    summary: 'Preview the demo email.',
    access: 'lead_send_prospection_mail',
    body: DemoMail,
    response: Previewed,
  }),
  prospection: endpoint({
    method: 'POST',
    path: '/admin/users/send-prospection-mail',
    summary: 'Send a lead the prospecting email, optionally with questions.',
    act: 'Sent a prospecting email',
    access: 'lead_send_prospection_mail',
    body: ProspectionMail.extend(written),
    response: Queued,
  }),
  previewProspection: endpoint({
    method: 'POST',
    reads: true,
    path: '/admin/users/send-prospection-mail/preview',
    summary: 'Preview the prospecting email.',
    access: 'lead_send_prospection_mail',
    body: ProspectionMail,
    response: Previewed,
  }),
  questions: endpoint({
    method: 'GET',
    path: '/admin/users/prospection-questions',
    shows: ['leads'],
    // Its form opens once a request is answered, and would close at the next one.
    live: false,
    summary: 'List prospecting questions with the answers from a lead and from any leads merged into it.',
    access: 'lead_prospection_question',
    query: z.object({ lead_id: recordId }),
    response: z.object({ data: z.array(Question) }),
  }),
  answerQuestions: endpoint({
    method: 'POST',
    path: '/admin/users/prospection-questions',
    summary: 'Save a lead’s answers. An empty answer deletes the saved one.',
    act: 'Saved answers',
    access: 'lead_prospection_question',
    body: Answers,
    response: z.object({ message: z.string(), data: z.array(Question) }),
  }),
}
