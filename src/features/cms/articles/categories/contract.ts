import { z } from 'zod'
import { adminsWith, endpoint } from '#shared/endpoint.ts'
import { detailsOf, inputsOf, repliesOf } from '#shared/field.ts'
import { recordId, text } from '#shared/schemas.ts'
import { largestFile } from '#shared/files.ts'
import { pageNumber } from '#shared/page.ts'
import { ActReply, changedReply, listReply, editBaseFields } from '#shared/record.contract.ts'
import { categoryFields } from '#features/cms/articles/categories/fields.ts'
import { productQuery, slugParam } from '#features/cms/articles/shared/contract.ts'

export const CategoryFilters = z.object({
  page: pageNumber.default(1),
  product_id: recordId.optional(),
  search: text(200).default(''),
})

export const CategoryRow = z.object({
  ...repliesOf(categoryFields),
  /** Number of levels below the root. Rows are in tree order. */
  depth: z.number().int(),
  version: z.number().int(),
})
export type CategoryRow = z.output<typeof CategoryRow>

export const Category = CategoryRow.omit({ depth: true }).extend({
  ...detailsOf(categoryFields),
  parent_title: z.string().nullable(),
  old_slugs: z.array(z.string()),
})
export type Category = z.output<typeof Category>

const fields = z.object(inputsOf(categoryFields))
export const NewCategory = fields.partial().required({ title: true })
export const CategoryChange = fields.partial().extend(editBaseFields)

/** Maximum number of search results. */
export const mostFound = 100

/** `chosen` is always included in the results, so that fields and filters can show its name. */
export const CategorySearch = z.object({ q: text(200).default(''), chosen: recordId.optional() })

export const CategoryName = z.object({
  id: z.number().int(),
  title: z.string(),
  slug: z.string(),
  product_id: z.number().int(),
})
export const Moderator = z.object({ id: z.number().int(), name: z.string() })

const product = ['query.product_id'] as const
const byId = z.object({ id: slugParam })
const files = { icon: { most: 1, maxBytes: largestFile, kinds: ['image'] } } as const
const found = z.object({ data: z.array(CategoryName) })

export const Moderation = z.object({ staff_ids: z.array(recordId).max(100, 'Choose up to 100 moderators.') })

export const categories = {
  list: endpoint({
    method: 'GET',
    path: '/admin/categories',
    shows: ['category'],
    summary: 'List post categories as a tree, 20 per page.',
    access: 'categories_list',
    product,
    query: CategoryFilters,
    response: listReply(CategoryRow),
  }),
  search: endpoint({
    method: 'GET',
    path: '/categories/search',
    shows: ['category'],
    summary: 'Search categories by name, excluding `current` and its subcategories.',
    access: 'signed-in',
    product,
    query: CategorySearch.extend({
      ...productQuery.shape,
      current: recordId.optional(),
      admin: text(5).optional(),
    }),
    response: found,
  }),
  searchChild: endpoint({
    method: 'GET',
    path: '/categories/search-child-categories',
    summary: 'Search subcategories by name.',
    calledBy: 'clients of B §7',
    access: 'signed-in',
    product,
    query: productQuery.extend({ q: text(200).default(''), current: recordId.optional() }),
    response: found,
  }),
  show: endpoint({
    method: 'GET',
    path: '/admin/categories/{id}',
    shows: ['category'],
    summary: 'Get a category by ID or slug.',
    access: 'categories_list',
    product,
    params: byId,
    query: productQuery,
    response: z.object({ data: Category }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/admin/categories',
    summary: 'Create a category for the product.',
    act: 'Created',
    access: adminsWith('categories_list'),
    product,
    query: productQuery,
    record: 'category',
    body: NewCategory,
    files,
    response: z.object({ message: z.string(), data: Category }),
  }),
  update: endpoint({
    method: 'PUT',
    path: '/admin/categories/{id}',
    summary: 'Update the given fields of a category. Only admins and the category’s moderators can do this.',
    act: 'Edited',
    access: 'categories_list',
    product,
    params: byId,
    query: productQuery,
    record: 'category',
    body: CategoryChange,
    files,
    response: changedReply(Category),
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/admin/categories/{id}',
    summary:
      'Move a category to trash. Returns 409 with counts if it has posts or subcategories and `move_to` is missing.',
    act: 'Moved to trash',
    access: adminsWith('categories_list'),
    product,
    params: byId,
    query: productQuery.extend({ move_to: recordId.optional() }),
    response: ActReply,
  }),
  moderators: endpoint({
    method: 'GET',
    path: '/admin/categories/{id}/moderators',
    shows: ['category'],
    summary: 'List a category’s moderators.',
    access: 'categories_list',
    params: byId,
    response: z.object({ data: z.array(Moderator) }),
  }),
  setModerators: endpoint({
    method: 'POST',
    path: '/admin/categories/{id}/moderators',
    summary: 'Replace a category’s moderators.',
    act: 'Changed moderators',
    access: adminsWith('categories_list'),
    params: byId,
    body: Moderation,
    response: z.object({ message: z.string(), data: z.array(Moderator) }),
  }),
}
