import { z } from 'zod'
import { adminsWith, endpoint } from '#shared/endpoint.ts'
import { detailsOf, inputsOf, repliesOf } from '#shared/field.ts'
import { instant, recordId, text, wholeNumber } from '#shared/schemas.ts'
import { largestFile, recordFile } from '#shared/files.ts'
import { pageNumber } from '#shared/page.ts'
import { ActReply, changedReply, listReply, OperationRef, editBaseFields } from '#shared/record.contract.ts'
import { faqFields, place } from '#features/cms/articles/faqs/fields.ts'
import {
  articleBytes,
  Author,
  bySlug,
  publishAction,
  slugParam,
} from '#features/cms/articles/shared/contract.ts'

/**
 * `category`: category ID or slug; `state`: 1 published, 0 unpublished. The sort order is fixed: by category,
 * as in the tree of categories, then by position.
 */
export const FaqFilters = z.object({
  page: pageNumber.default(1),
  search: text(200).default(''),
  category: z.union([recordId, text(300).min(1)]).optional(),
  state: wholeNumber(0, 1).optional(),
})
export type FaqFilters = z.output<typeof FaqFilters>

export const FaqRow = z.object({
  ...repliesOf(faqFields),
  category_title: z.string(),
  category_slug: z.string(),
  author: Author,
  /** Whether the caller is a moderator of the FAQ's category. */
  moderated: z.boolean(),
  version: z.number().int(),
})
export type FaqRow = z.output<typeof FaqRow>

export const Faq = FaqRow.extend({
  ...detailsOf(faqFields),
  video_file: recordFile.nullable(),
  created_at: instant,
  /** Former slugs that still lead to this FAQ. */
  old_slugs: z.array(z.string()),
})
export type Faq = z.output<typeof Faq>

const fields = z.object(inputsOf(faqFields))
const chosen = z
  .preprocess((value) => value ?? '', z.union([faqFields.category_id.input, z.literal('')]))
  .refine((value) => value !== '', 'Choose a category.')

export const NewFaq = fields.partial().required({ title: true }).extend({ category_id: chosen })
export const FaqChange = fields.partial().extend(editBaseFields)

const files = { video: { most: 1, maxBytes: largestFile, kinds: ['video'] } } as const
const list = listReply(FaqRow)

export const faqs = {
  list: endpoint({
    method: 'GET',
    path: '/admin/faqs',
    shows: ['faq'],
    summary: 'List FAQs with filters, 20 per page.',
    access: 'all_faq_list',
    query: FaqFilters,
    response: list,
  }),
  unpublished: endpoint({
    method: 'GET',
    path: '/admin/faqs/unpublished',
    shows: ['faq'],
    summary: 'List unpublished FAQs.',
    access: 'all_faq_list',
    query: FaqFilters,
    response: list,
  }),
  show: endpoint({
    method: 'GET',
    path: '/admin/faqs/{slug}',
    shows: ['faq'],
    summary: 'Get an FAQ by slug, old slug, or ID.',
    access: 'all_faq_list',
    params: bySlug,
    response: z.object({ data: Faq }),
  }),
  byCategory: endpoint({
    method: 'GET',
    path: '/admin/faqcategories/{category}/faqs',
    shows: ['faq'],
    summary: 'List FAQs in a category, by category ID or slug.',
    access: 'all_faq_list',
    params: z.object({ category: slugParam }),
    query: FaqFilters,
    response: list,
  }),
  create: endpoint({
    method: 'POST',
    path: '/admin/faqs',
    summary:
      'Create an FAQ with the caller as its author. Without `order_number`, it’s added last in its category.',
    act: 'Created',
    access: 'new_faq_list',
    record: 'faq',
    body: NewFaq,
    files,
    maxBytes: articleBytes,
    response: z.object({ message: z.string(), data: Faq }),
  }),
  update: endpoint({
    method: 'PUT',
    path: '/admin/faqs/{slug}',
    summary:
      'Update the given fields of an FAQ. Only its author can do this. `order_number` moves it and renumbers the others.',
    act: 'Edited',
    access: 'all_faq_list',
    params: bySlug,
    record: 'faq',
    body: FaqChange,
    files,
    maxBytes: articleBytes,
    response: changedReply(Faq),
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/admin/faqs/{slug}',
    summary: 'Move an FAQ to trash. Only admins, its author, and the category’s moderators can do this.',
    act: 'Moved to trash',
    access: 'all_faq_list',
    params: bySlug,
    response: ActReply,
  }),
  publishing: endpoint({
    method: 'POST',
    path: '/admin/faqs/{slug}/publishing',
    summary: 'Publish or unpublish an FAQ. Only admins and the category’s moderators can do this.',
    act: 'Changed publication status',
    access: 'all_faq_list',
    params: bySlug,
    query: z.object({ action: publishAction }),
    response: z.object({ message: z.string(), data: FaqRow, operation: OperationRef.nullable() }),
  }),
  move: endpoint({
    method: 'POST',
    path: '/admin/faqs/{slug}/move',
    summary:
      'Move an FAQ to another position in its category and renumber the others. Anyone who can move it to trash can do this.',
    act: 'Moved',
    access: 'all_faq_list',
    params: bySlug,
    body: z.object({ order_number: place }),
    response: changedReply(FaqRow),
  }),
  handOver: endpoint({
    method: 'POST',
    path: '/admin/faqs/{slug}/author',
    summary: 'Change an FAQ’s author.',
    act: 'Changed author',
    access: adminsWith('all_faq_list'),
    params: bySlug,
    body: z.object({ author_id: recordId }),
    response: changedReply(Faq),
  }),
}
