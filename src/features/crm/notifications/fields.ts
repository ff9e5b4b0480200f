import { z } from 'zod'
import { byName, type Fields } from '#shared/field.ts'
import { recordFile } from '#shared/files.ts'
import { code, emptyIsAbsent, instant, recordId, requiredText, richText, text } from '#shared/schemas.ts'
import { isAddress, whyNotAddress } from '#shared/recipients.ts'

export const notificationStatuses = { 0: 'Draft', 1: 'Sent' } as const

const int = z.number().int()
const address = text(254).check(z.toLowerCase())
/** In `emails`, means all subscribed users. */
const everyone = 'all'
export const toEveryone: readonly string[] = [everyone]
/**
 * A list, or a single string separated by commas or whitespace. If omitted or `all`, the notification goes to
 * all subscribed users, and the output is empty. An empty input is rejected, because it doesn't name any
 * recipients.
 */
export const splitEmails = (value: unknown) => {
  if (value === undefined || value === null || value === everyone) return []
  const list = Array.isArray(value) ? value : typeof value === 'string' ? value.split(/[\s,;]+/) : [value]
  const named = list.filter((one) => one !== '')
  if (named.length === 1 && named[0] === everyone) return []
  return named.length ? named : undefined
}
export const manyEmails = z
  .array(address, 'Enter at least one email address, or choose all subscribed users.')
  .max(5000, 'Enter up to 5,000 email addresses.')
const emails = z.preprocess(
  splitEmails,
  manyEmails.superRefine((list, context) => {
    // One error for the whole field, because the form has one field for all addresses.
    const email = list.find((one) => !isAddress(one))
    if (email !== undefined) context.addIssue({ code: 'custom', message: whyNotAddress(email) })
  }),
)

/** The fields of a notification, in the order of the list. */
export const notificationFields = {
  id: { label: 'Number', column: false, reply: int },
  subject: {
    label: 'Subject',
    input: requiredText(200),
    reply: z.string(),
    list: { sortBy: 'subject', width: 360, always: true },
  },
  status: {
    label: 'Status',
    column: false,
    reply: int,
    words: byName(notificationStatuses),
    list: { sortBy: 'status', width: 100 },
  },
  type: { label: 'Type', input: emptyIsAbsent(code), reply: int, list: { sortBy: 'type', width: 130 } },
  /** Empty means all subscribers. */
  emails: {
    label: 'Email addresses',
    input: emails,
    reply: z.array(z.string()),
    list: { id: 'to', width: 180 },
  },
  sent_to: {
    label: 'Recipients',
    column: false,
    reply: int,
    shownAs: ({ status, sent_to }: { status: number; sent_to: number }) => (status === 1 ? sent_to : null),
    list: { align: 'right', width: 100 },
  },
  sent_at: { label: 'Sent', column: false, reply: instant.nullable(), list: { align: 'right', width: 130 } },
  sent_by_name: {
    label: 'Sent by',
    column: false,
    reply: z.string().nullable(),
    list: { id: 'sent_by', width: 150 },
  },
  created_at: { label: 'Created', column: false, reply: instant },
  message: { label: 'Message', input: richText(200_000), detail: z.string() },
  notification_image: { label: 'Image', column: false, detail: recordFile.nullable() },
  mail_id: { label: 'Email', column: false, detail: int.nullable() },
  file_ids: {
    label: 'Image',
    column: false,
    input: z.preprocess(
      (value) => (typeof value === 'string' ? value.split(',').filter(Boolean) : value),
      z.array(recordId).max(1).optional(),
    ),
  },
} as const satisfies Fields
