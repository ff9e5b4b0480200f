import { z } from 'zod'
import { adminsWith, endpoint } from '#shared/endpoint.ts'
import { detailsOf, inputsOf, repliesOf } from '#shared/field.ts'
import { recordId, text } from '#shared/schemas.ts'
import { largestFile } from '#shared/files.ts'
import { pageNumber } from '#shared/page.ts'
import { ActReply, changedReply, listReply, editBaseFields } from '#shared/record.contract.ts'
import { categoryFields, faqCategoryFields } from '#features/cms/articles/categories/fields.ts'
import { productQuery, slugParam } from '#features/cms/articles/shared/contract.ts'

/*
 * The two trees of categories: of posts, where a category belongs to a product, and of FAQs, where none does. Both
 * spellings of FAQ categories in the specification are served (docs/spec-gaps.md G19).
 */

/** The record types that have categories. */
export const categoryKindNames = ['post', 'faq'] as const
export type CategoryKind = (typeof categoryKindNames)[number]

const icon = { icon: { most: 1, maxBytes: largestFile, kinds: ['image'] } } as const

/**
 * What differs between the trees. `base` begins the paths of the endpoints and of the pages, and `searchPath` is that
 * of the search for subcategories; `content` is in the names of the counts, and `shows` is what changes the list. The
 * panel removes a category by its slug or its ID, as the specification calls it (G19).
 */
export const categoryKindRows = {
  post: {
    type: 'category',
    base: 'categories',
    searchPath: 'search-child-categories',
    access: 'categories_list',
    content: 'posts',
    shows: ['category'],
    isOfProduct: true,
    removedBy: 'slug',
    files: icon,
  },
  faq: {
    type: 'faq_category',
    base: 'faqcategories',
    searchPath: 'search-child-FAQcategories',
    access: 'faq_view',
    content: 'faqs',
    shows: ['faq_category', 'faq'],
    isOfProduct: false,
    removedBy: 'id',
    files: undefined,
  },
} as const

const summaries = {
  post: {
    tree: 'post categories',
    many: 'categories',
    children: 'subcategories',
    one: 'a category',
    added: 'a category for the product',
    content: 'posts',
  },
  faq: {
    tree: 'FAQ categories',
    many: 'FAQ categories',
    children: 'FAQ subcategories',
    one: 'an FAQ category',
    added: 'an FAQ category',
    content: 'FAQs',
  },
} as const

export const CategoryFilters = z.object({
  page: pageNumber.default(1),
  product_id: recordId.optional(),
  search: text(200).default(''),
})
export type CategoryFilters = z.output<typeof CategoryFilters>
export const FaqCategoryFilters = CategoryFilters.omit({ product_id: true })

/** `depth`: number of levels below the root. Rows are in tree order. */
const ofRow = z.object({ depth: z.number().int(), version: z.number().int() })
const PostCategoryRow = z.object({ ...repliesOf(categoryFields), ...ofRow.shape })
const FaqCategoryRow = z.object({ ...repliesOf(faqCategoryFields), ...ofRow.shape })

const ofWhole = z.object({ parent_title: z.string().nullable(), old_slugs: z.array(z.string()) })
const PostCategory = PostCategoryRow.omit({ depth: true }).extend({
  ...detailsOf(categoryFields),
  ...ofWhole.shape,
})
const FaqCategory = FaqCategoryRow.omit({ depth: true }).extend({
  ...detailsOf(faqCategoryFields),
  ...ofWhole.shape,
})

/** What categories of both trees have, and optionally what only those of one tree have. */
type OfEither<Post, Faq> = Pick<Post, keyof Post & keyof Faq> &
  Partial<Omit<Post, keyof Faq> & Omit<Faq, keyof Post>>

export type CategoryRow = OfEither<z.output<typeof PostCategoryRow>, z.output<typeof FaqCategoryRow>>
export type Category = OfEither<z.output<typeof PostCategory>, z.output<typeof FaqCategory>>

const postInputs = z.object(inputsOf(categoryFields)).partial()
const faqInputs = z.object(inputsOf(faqCategoryFields)).partial()
export const NewCategory = postInputs.required({ title: true })
export const NewFaqCategory = faqInputs.required({ title: true })
export const CategoryChange = postInputs.extend(editBaseFields)
export const FaqCategoryChange = faqInputs.extend(editBaseFields)

/** Maximum number of search results. */
export const mostFound = 100

const CategoryName = z.object({
  id: z.number().int(),
  title: z.string(),
  slug: z.string(),
  product_id: z.number().int(),
})
const FaqCategoryName = CategoryName.omit({ product_id: true })
export type CategoryName = OfEither<z.output<typeof CategoryName>, z.output<typeof FaqCategoryName>>

const Moderator = z.object({ id: z.number().int(), name: z.string() })
export const Moderation = z.object({ staff_ids: z.array(recordId).max(100, 'Choose up to 100 moderators.') })

interface Schemas {
  filters: z.ZodType<CategoryFilters>
  row: z.ZodType<CategoryRow>
  whole: z.ZodType<Category>
  name: z.ZodType<CategoryName>
  added: z.ZodType<z.output<typeof NewCategory>>
  change: z.ZodType<z.output<typeof CategoryChange>>
}
const schemas: Readonly<Record<CategoryKind, Schemas>> = {
  post: {
    filters: CategoryFilters,
    row: PostCategoryRow,
    whole: PostCategory,
    name: CategoryName,
    added: NewCategory,
    change: CategoryChange,
  },
  faq: {
    filters: FaqCategoryFilters,
    row: FaqCategoryRow,
    whole: FaqCategory,
    name: FaqCategoryName,
    added: NewFaqCategory,
    change: FaqCategoryChange,
  },
}

/** Returns the parameters if the tree's categories belong to a product; otherwise, none of them. */
const ofProduct = <Shape extends z.ZodRawShape>(kind: CategoryKind, shape: Shape) =>
  (categoryKindRows[kind].isOfProduct ? shape : {}) as Shape
const productOf = (kind: CategoryKind) =>
  categoryKindRows[kind].isOfProduct ? (['query.product_id'] as const) : undefined
const queryOf = (kind: CategoryKind) => z.object(ofProduct(kind, productQuery.shape))
const byId = z.object({ id: slugParam })

const readsOf = (kind: CategoryKind) => {
  const { type, base, searchPath, access, shows } = categoryKindRows[kind]
  return {
    list: endpoint({
      method: 'GET',
      path: `/admin/${base}`,
      shows,
      summary: `List ${summaries[kind].tree} as a tree, 20 per page.`,
      access,
      product: productOf(kind),
      query: schemas[kind].filters,
      response: listReply(schemas[kind].row),
    }),
    /** `chosen` is always included in the results, so that fields and filters can show its name. */
    search: endpoint({
      method: 'GET',
      path: `/${base}/search`,
      shows: [type],
      summary: `Search ${summaries[kind].many} by name, excluding \`current\` and its subcategories.`,
      access: 'signed-in',
      product: productOf(kind),
      query: z.object({
        q: text(200).default(''),
        chosen: recordId.optional(),
        ...ofProduct(kind, productQuery.shape),
        current: recordId.optional(),
        ...ofProduct(kind, { admin: text(5).optional() }),
      }),
      response: z.object({ data: z.array(schemas[kind].name) }),
    }),
    searchChild: endpoint({
      method: 'GET',
      path: `/${base}/${searchPath}`,
      summary: `Search ${summaries[kind].children} by name.`,
      calledBy: 'clients of B §7',
      access: 'signed-in',
      product: productOf(kind),
      query: queryOf(kind).extend({ q: text(200).default(''), current: recordId.optional() }),
      response: z.object({ data: z.array(schemas[kind].name) }),
    }),
    show: endpoint({
      method: 'GET',
      path: `/admin/${base}/{id}`,
      shows: [type],
      summary: `Get ${summaries[kind].one} by ID or slug.`,
      access,
      product: productOf(kind),
      params: byId,
      query: queryOf(kind),
      response: z.object({ data: schemas[kind].whole }),
    }),
    moderators: endpoint({
      method: 'GET',
      path: `/admin/${base}/{id}/moderators`,
      shows: [type],
      summary: `List ${summaries[kind].one}’s moderators.`,
      access,
      params: byId,
      response: z.object({ data: z.array(Moderator) }),
    }),
  }
}

const writesOf = (kind: CategoryKind) => {
  const { type, base, access, files } = categoryKindRows[kind]
  return {
    create: endpoint({
      method: 'POST',
      path: `/admin/${base}`,
      summary: `Create ${summaries[kind].added}.`,
      act: 'Created',
      access: adminsWith(access),
      product: productOf(kind),
      query: queryOf(kind),
      record: type,
      body: schemas[kind].added,
      files,
      response: z.object({ message: z.string(), data: schemas[kind].whole }),
    }),
    update: endpoint({
      method: 'PUT',
      path: `/admin/${base}/{id}`,
      summary: `Update the given fields of ${summaries[kind].one}. Only admins and the category’s moderators can do this.`,
      act: 'Edited',
      access,
      product: productOf(kind),
      params: byId,
      query: queryOf(kind),
      record: type,
      body: schemas[kind].change,
      files,
      response: changedReply(schemas[kind].whole),
    }),
    remove: endpoint({
      method: 'DELETE',
      path: `/admin/${base}/{id}`,
      summary: `Move ${summaries[kind].one} to trash. Returns 409 with counts if it has ${summaries[kind].content} or subcategories and \`move_to\` is missing.`,
      act: 'Moved to trash',
      access: adminsWith(access),
      product: productOf(kind),
      params: byId,
      query: queryOf(kind).extend({ move_to: recordId.optional() }),
      response: ActReply,
    }),
    setModerators: endpoint({
      method: 'POST',
      path: `/admin/${base}/{id}/moderators`,
      summary: `Replace ${summaries[kind].one}’s moderators.`,
      act: 'Changed moderators',
      access: adminsWith(access),
      params: byId,
      body: Moderation,
      response: z.object({ message: z.string(), data: z.array(Moderator) }),
    }),
  }
}

const callsOf = (kind: CategoryKind) => ({ ...readsOf(kind), ...writesOf(kind) })
/** The endpoints of each tree. */
export const categories = { post: callsOf('post'), faq: callsOf('faq') }
export type CategoryCalls = ReturnType<typeof callsOf>

/** Endpoints that only categories of FAQs have. */
export const faqCategories = {
  lookup: endpoint({
    method: 'GET',
    path: '/admin/faq-categories',
    shows: ['faq_category'],
    summary: 'List FAQ categories by name, for pickers.',
    access: 'faq_view',
    query: z.object({ query: text(200).default(''), chosen: recordId.optional() }),
    response: z.object({ categories: z.array(FaqCategoryName) }),
  }),
}
