import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import { inputsOf, repliesOf } from '#shared/field.ts'
import { recordFile } from '#shared/files.ts'
import { pageNumber } from '#shared/page.ts'
import { changedReply, editBaseFields, listReply } from '#shared/record.contract.ts'
import { code, instant, recordId, requiredText, text } from '#shared/schemas.ts'
import { ofTicket } from '#features/crm/support/parts.contract.ts'
import { savedReplyFields } from '#features/crm/support/saved-reply.fields.ts'

export const savedRepliesPerPage = 20

/**
 * `search` matches part of the name or the shortcut; `available` limits the list to the replies that everyone can use,
 * or to the caller's own; `category` to those suggested for tickets of a category.
 */
export const SavedReplyFilters = z.object({
  page: pageNumber.default(1),
  search: text(200).default(''),
  available: z.enum(['all', 'shared', 'own']).default('all'),
  category: code.optional(),
})
export type SavedReplyFilters = z.output<typeof SavedReplyFilters>

const int = z.number().int()

export const SavedReplyRow = z.object({
  ...repliesOf(savedReplyFields),
  /** The beginning of the text, without formatting. */
  words: z.string(),
  /** How many replies were sent with it. */
  uses: int,
  last_used_at: instant.nullable(),
  updated_at: instant,
  version: int,
})
export type SavedReplyRow = z.output<typeof SavedReplyRow>

export const SavedReply = SavedReplyRow.extend({
  content: z.string(),
  files: z.array(recordFile),
  created_by_name: z.string().nullable(),
  last_used_by_name: z.string().nullable(),
})
export type SavedReply = z.output<typeof SavedReply>

/** A saved reply with the values of a ticket. */
export const FilledReply = z.object({
  id: int,
  content: z.string(),
  files: z.array(recordFile),
  status: int.nullable(),
})
export type FilledReply = z.output<typeof FilledReply>

/** A published FAQ, whose answer can be inserted into a reply. */
export const FaqQuestion = z.object({ id: int, title: z.string(), published_at: instant })
export type FaqQuestion = z.output<typeof FaqQuestion>

const fields = z.object(inputsOf(savedReplyFields))
export const NewSavedReply = fields.partial().required({ name: true, content: true })
/** Only the fields that are sent change. */
export const SavedReplyChange = fields.partial().extend(editBaseFields)

const params = z.object({ id: recordId })

export const savedReplies = {
  list: endpoint({
    method: 'GET',
    path: '/admin/support/saved-replies',
    shows: ['saved_reply'],
    summary:
      'List the saved replies that everyone can use and the caller’s own, most used first, 20 per page.',
    access: ofTicket,
    query: SavedReplyFilters,
    response: listReply(SavedReplyRow),
  }),
  show: endpoint({
    method: 'GET',
    path: '/admin/support/saved-replies/{id}',
    shows: ['saved_reply'],
    summary: 'Get a saved reply with its text and files.',
    access: ofTicket,
    params,
    response: z.object({ data: SavedReply }),
  }),
  fill: endpoint({
    method: 'GET',
    path: '/admin/support/ticket/{ticket}/saved-replies/{id}',
    shows: ['saved_reply'],
    summary:
      'Get a saved reply with the values of a ticket. A variable without a value stays, and the reply can’t be sent with it.',
    access: ofTicket,
    params: z.object({ ticket: recordId, id: recordId }),
    response: z.object({ data: FilledReply }),
  }),
  preview: endpoint({
    method: 'POST',
    reads: true,
    path: '/admin/support/ticket/{ticket}/saved-replies/preview',
    summary: 'Preview the text of a saved reply, which need not be saved, with the values of a ticket.',
    access: ofTicket,
    params: z.object({ ticket: recordId }),
    body: z.object({ content: savedReplyFields.content.input }),
    maxBytes: 400_000,
    response: z.object({ data: z.object({ content: z.string() }) }),
  }),
  faqs: endpoint({
    method: 'GET',
    path: '/admin/support/faqs',
    summary: 'List up to 3 published FAQs whose question matches, newest first.',
    access: ofTicket,
    query: z.object({ search: requiredText(200) }),
    response: z.object({ data: z.array(FaqQuestion) }),
  }),
  faqAnswer: endpoint({
    method: 'GET',
    path: '/admin/support/faqs/{id}',
    summary: 'Get the answer of a published FAQ without its images, which are counted.',
    access: ofTicket,
    params,
    response: z.object({ data: z.object({ content: z.string(), images: int }) }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/admin/support/saved-replies',
    summary: 'Create a saved reply. Only roles 0 and 1 create replies that everyone can use.',
    act: 'Created',
    access: ofTicket,
    record: 'saved_reply',
    body: NewSavedReply,
    maxBytes: 400_000,
    response: z.object({ message: z.string(), data: SavedReply }),
  }),
  update: endpoint({
    method: 'POST',
    path: '/admin/support/saved-replies/{id}',
    summary:
      'Update the given fields of a saved reply. Only roles 0 and 1 change replies that everyone can use. Returns 409 with the current reply if the version is out of date.',
    act: 'Edited',
    access: ofTicket,
    params,
    record: 'saved_reply',
    body: SavedReplyChange,
    maxBytes: 400_000,
    response: changedReply(SavedReply),
  }),
}
