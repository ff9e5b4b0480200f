import { z } from 'zod'
import { adminsWith, endpoint } from '#shared/endpoint.ts'
import { detailsOf, inputsOf, repliesOf } from '#shared/field.ts'
import { recordId, text } from '#shared/schemas.ts'
import { pageNumber } from '#shared/page.ts'
import { ActReply, changedReply, listReply, editBaseFields } from '#shared/record.contract.ts'
import {
  Category,
  CategoryRow,
  CategorySearch,
  Moderation,
  Moderator,
} from '#features/cms/articles/categories/contract.ts'
import { faqCategoryFields } from '#features/cms/articles/faq-categories/fields.ts'
import { slugParam } from '#features/cms/articles/shared/contract.ts'

/*
 * FAQ categories: a tree that does not belong to a product. Both spellings in the specification are served
 * (docs/spec-gaps.md G19).
 */

export const FaqCategoryFilters = z.object({ page: pageNumber.default(1), search: text(200).default('') })

export const FaqCategoryRow = z.object({
  ...repliesOf(faqCategoryFields),
  depth: CategoryRow.shape.depth,
  version: z.number().int(),
})
export type FaqCategoryRow = z.output<typeof FaqCategoryRow>
export const FaqCategory = FaqCategoryRow.omit({ depth: true }).extend({
  ...detailsOf(faqCategoryFields),
  parent_title: Category.shape.parent_title,
  old_slugs: Category.shape.old_slugs,
})
export type FaqCategory = z.output<typeof FaqCategory>

const fields = z.object(inputsOf(faqCategoryFields))
export const NewFaqCategory = fields.partial().required({ title: true })
export const FaqCategoryChange = fields.partial().extend(editBaseFields)

const FaqCategoryName = z.object({ id: z.number().int(), title: z.string(), slug: z.string() })
const found = z.object({ data: z.array(FaqCategoryName) })
const byId = z.object({ id: slugParam })

export const faqCategories = {
  list: endpoint({
    method: 'GET',
    path: '/admin/faqcategories',
    shows: ['faq_category', 'faq'],
    summary: 'List FAQ categories as a tree, 20 per page.',
    access: 'faq_view',
    query: FaqCategoryFilters,
    response: listReply(FaqCategoryRow),
  }),
  lookup: endpoint({
    method: 'GET',
    path: '/admin/faq-categories',
    shows: ['faq_category'],
    summary: 'List FAQ categories by name, for pickers.',
    access: 'faq_view',
    query: z.object({ query: text(200).default(''), chosen: recordId.optional() }),
    response: z.object({ categories: z.array(FaqCategoryName) }),
  }),
  search: endpoint({
    method: 'GET',
    path: '/faqcategories/search',
    shows: ['faq_category'],
    summary: 'Search FAQ categories by name, excluding `current` and its subcategories.',
    access: 'signed-in',
    query: CategorySearch.extend({ current: recordId.optional() }),
    response: found,
  }),
  searchChild: endpoint({
    method: 'GET',
    path: '/faqcategories/search-child-FAQcategories',
    summary: 'Search FAQ subcategories by name.',
    calledBy: 'clients of B §7',
    access: 'signed-in',
    query: z.object({ q: text(200).default(''), current: recordId.optional() }),
    response: found,
  }),
  show: endpoint({
    method: 'GET',
    path: '/admin/faqcategories/{id}',
    shows: ['faq_category'],
    summary: 'Get an FAQ category by ID or slug.',
    access: 'faq_view',
    params: byId,
    response: z.object({ data: FaqCategory }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/admin/faqcategories',
    summary: 'Create an FAQ category.',
    act: 'Created',
    access: adminsWith('faq_view'),
    record: 'faq_category',
    body: NewFaqCategory,
    response: z.object({ message: z.string(), data: FaqCategory }),
  }),
  update: endpoint({
    method: 'PUT',
    path: '/admin/faqcategories/{id}',
    summary:
      'Update the given fields of an FAQ category. Only admins and the category’s moderators can do this.',
    act: 'Edited',
    access: 'faq_view',
    params: byId,
    record: 'faq_category',
    body: FaqCategoryChange,
    response: changedReply(FaqCategory),
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/admin/faqcategories/{id}',
    summary:
      'Move an FAQ category to trash. Returns 409 with counts if it has FAQs or subcategories and `move_to` is missing.',
    act: 'Moved to trash',
    access: adminsWith('faq_view'),
    params: byId,
    query: z.object({ move_to: recordId.optional() }),
    response: ActReply,
  }),
  moderators: endpoint({
    method: 'GET',
    path: '/admin/faqcategories/{id}/moderators',
    shows: ['faq_category'],
    summary: 'List an FAQ category’s moderators.',
    access: 'faq_view',
    params: byId,
    response: z.object({ data: z.array(Moderator) }),
  }),
  setModerators: endpoint({
    method: 'POST',
    path: '/admin/faqcategories/{id}/moderators',
    summary: 'Replace an FAQ category’s moderators.',
    act: 'Changed moderators',
    access: adminsWith('faq_view'),
    params: byId,
    body: Moderation,
    response: z.object({ message: z.string(), data: z.array(Moderator) }),
  }),
}
