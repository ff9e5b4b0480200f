import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import { fileIds, largestFile, mostFiles } from '#shared/files.ts'
import { MailRow } from '#shared/mails.ts'
import { byType } from '#shared/record.contract.ts'
import { mailedTypes } from '#shared/records.ts'
import {
  emptyIsAbsent,
  headerLine,
  mailAddress,
  moment,
  recordId,
  richText,
  subjectLine,
} from '#shared/schemas.ts'

/*
 * Emails that an admin user writes to people of a record. They are sent from the record's page, and everyone
 * who can read the record can read them.
 */

/** Number of people in To and Cc together. */
export const mostPeople = 50

/** A person whose email address is on a record. */
export const RecordPerson = z.object({
  name: z.string(),
  address: z.string(),
  /** Banned people can't receive email. */
  banned: z.boolean(),
})
export type RecordPerson = z.output<typeof RecordPerson>

const words = z.object({ subject: subjectLine, content: richText(100_000) })

export const NewRecordMail = words.extend({
  to: z.array(mailAddress).min(1, 'Enter at least one recipient.').max(mostPeople),
  cc: z.array(mailAddress).max(mostPeople).default([]),
  /** When to send it; immediately if absent. */
  send_at: emptyIsAbsent(moment.optional()),
  file_ids: fileIds.optional(),
})

const params = z.object({ type: z.enum(mailedTypes), id: recordId })

export const recordMails = {
  people: endpoint({
    method: 'GET',
    path: '/admin/mails/{type}/{id}/people',
    summary:
      'List the people of a record who have an email address, with the caller’s signature and how long sending can be undone.',
    access: byType('mail'),
    params,
    response: z.object({
      data: z.array(RecordPerson),
      is_on: z.boolean(),
      /** HTML. */
      signature: z.string(),
      undo_seconds: z.number().int(),
    }),
  }),
  templates: endpoint({
    method: 'GET',
    path: '/admin/mails/{type}/{id}/templates',
    summary: 'List the composer’s templates of the record’s product and of all products.',
    access: byType('mail'),
    params,
    response: z.object({ data: z.array(z.object({ id: z.number().int(), name: z.string() })) }),
  }),
  template: endpoint({
    method: 'GET',
    path: '/admin/mails/{type}/{id}/templates/{template_id}',
    summary: 'Get a template’s text for a recipient, to begin an email with.',
    access: byType('mail'),
    params: params.extend({ template_id: recordId }),
    query: z.object({ name: headerLine(200).default('') }),
    response: z.object({ data: z.object({ subject: z.string(), content: z.string() }) }),
  }),
  preview: endpoint({
    method: 'POST',
    reads: true,
    path: '/admin/mails/{type}/{id}/preview',
    summary: 'Preview an email to people of a record, exactly as they will receive it.',
    access: byType('mail'),
    params,
    body: words,
    response: z.object({
      data: z.object({ from: z.string(), reply_to: z.string(), subject: z.string(), html: z.string() }),
    }),
  }),
  send: endpoint({
    method: 'POST',
    path: '/admin/mails/{type}/{id}',
    summary:
      'Send an email to people of a record. It is held for the seconds in the settings, or until `send_at`, and can be canceled until then.',
    act: 'Sent an email',
    access: byType('mail'),
    params,
    files: { attachment: { most: mostFiles, maxBytes: largestFile } },
    body: NewRecordMail,
    response: z.object({ message: z.string(), data: MailRow }),
  }),
}
