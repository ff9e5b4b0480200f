import { z } from 'zod'
import { adminsWith, endpoint } from '#shared/endpoint.ts'
import { instant, recordId, requiredText, text } from '#shared/schemas.ts'
import { fileIds, largestFile, recordFile } from '#shared/files.ts'
import { pageNumber } from '#shared/page.ts'
import { ActReply, changedReply, listReply, editBaseFields } from '#shared/record.contract.ts'
import { longestSlug } from '#features/cms/articles/rules.ts'
import { productQuery, slugParam } from '#features/cms/articles/shared/contract.ts'

export const CategoryFilters = z.object({
  page: pageNumber.default(1),
  product_id: recordId.optional(),
  search: text(200).default(''),
})

export const CategoryRow = z.object({
  id: z.number().int(),
  product_id: z.number().int(),
  title: z.string(),
  slug: z.string(),
  icon: z.string(),
  icon_file: recordFile.nullable(),
  parent_id: z.number().int().nullable(),
  /** Number of levels below the root. Rows are in tree order. */
  depth: z.number().int(),
  total_posts: z.number().int(),
  published_posts: z.number().int(),
  moderated: z.boolean(),
  updated_at: instant,
  version: z.number().int(),
})
export type CategoryRow = z.output<typeof CategoryRow>

export const Category = CategoryRow.omit({ depth: true }).extend({
  description: z.string(),
  meta_title: z.string(),
  meta_description: z.string(),
  meta_keyword: z.string(),
  parent_title: z.string().nullable(),
  old_slugs: z.array(z.string()),
})
export type Category = z.output<typeof Category>

const fields = z.object({
  title: requiredText(200),
  /** Derived from the title if empty. */
  slug: text(longestSlug),
  description: text(10_000),
  meta_title: text(300),
  meta_description: text(1000),
  meta_keyword: text(1000),
  /** Text icon. A category has either a text or an image icon; setting one removes the other. */
  icon: text(200),
  /**
   * Staged image (`POST /files/stage`), if the image is not part of the request; an empty list removes it.
   */
  icon_ids: fileIds.max(1, 'You can add only one icon.'),
  parent_id: z.preprocess(
    (value) => (value === '' || value === '0' || value === 0 ? null : value),
    recordId.nullable(),
  ),
})
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
    summary: 'List post categories as a tree, 20 per page.',
    access: 'categories_list',
    product,
    query: CategoryFilters,
    response: listReply(CategoryRow),
  }),
  search: endpoint({
    method: 'GET',
    path: '/categories/search',
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
    access: 'signed-in',
    product,
    query: productQuery.extend({ q: text(200).default(''), current: recordId.optional() }),
    response: found,
  }),
  show: endpoint({
    method: 'GET',
    path: '/admin/categories/{id}',
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
