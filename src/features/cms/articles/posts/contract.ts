import { z } from 'zod'
import { adminsWith, endpoint } from '#shared/endpoint.ts'
import { detailsOf, inputsOf, repliesOf } from '#shared/field.ts'
import { plainDay, recordId, text, wholeNumber } from '#shared/schemas.ts'
import { pageNumber } from '#shared/page.ts'
import { ActReply, changedReply, listReply, OperationRef, editBaseFields } from '#shared/record.contract.ts'
import {
  Article,
  articleBytes,
  articleFiles,
  ArticleRow,
  bySlug,
  NewArticle,
  productQuery,
  publishAction,
  publishQuery,
  slugParam,
} from '#features/cms/articles/shared/contract.ts'
import { postFields, tagNames } from '#features/cms/articles/posts/fields.ts'

export const postSorts = ['id', 'title', 'published_at', 'updated_at'] as const

/**
 * `category` and `author`: IDs; `state`: 1 published, 0 unpublished; `featured`: 1 for featured posts only;
 * `published_from` and `published_to`: the day a post was published.
 */
export const PostFilters = z.object({
  page: pageNumber.default(1),
  product_id: recordId.optional(),
  search: text(200).default(''),
  category: recordId.optional(),
  author: recordId.optional(),
  state: wholeNumber(0, 1).optional(),
  featured: wholeNumber(0, 1).optional(),
  published_from: plainDay.optional(),
  published_to: plainDay.optional(),
  column: z.enum(postSorts).default('id'),
  direction: z.enum(['asc', 'desc']).default('desc'),
})
export type PostFilters = z.output<typeof PostFilters>

const inCategory = { category_title: z.string(), category_slug: z.string() }
/** Whether the caller is a moderator of the post's category. */
const moderated = { moderated: z.boolean() }

export const PostRow = ArticleRow.extend({ ...repliesOf(postFields), ...inCategory, ...moderated })
export type PostRow = z.output<typeof PostRow>
export const Post = Article.extend({ ...PostRow.shape, ...detailsOf(postFields) })
export type Post = z.output<typeof Post>

export const PostTags = z.object({ tags: z.preprocess((value) => value ?? [], tagNames) })

const postInputs = z
  .object(inputsOf(postFields))
  .partial()
  .extend({ remove_image: NewArticle.shape.remove_image })
export const NewPost = postInputs.required({ title: true }).extend({
  category: z
    .preprocess((value) => value ?? '', z.union([postFields.category.input, z.literal('')]))
    .refine((value) => value !== '', 'Choose a category.'),
})
export const PostChange = postInputs.extend(editBaseFields)

const product = ['query.product_id'] as const
const list = listReply(PostRow)

export const posts = {
  list: endpoint({
    method: 'GET',
    path: '/admin/posts',
    shows: ['post'],
    summary: 'List posts with filters, 20 per page.',
    access: 'all_posts_list',
    product,
    query: PostFilters,
    response: list,
  }),
  unpublished: endpoint({
    method: 'GET',
    path: '/admin/posts/unpublished',
    shows: ['post'],
    summary: 'List unpublished posts.',
    access: 'unpublished_post_list',
    product,
    query: PostFilters,
    response: list,
  }),
  byCategory: endpoint({
    method: 'GET',
    path: '/admin/categories/{category}/posts',
    shows: ['post'],
    summary: 'List posts in a category, by category ID or slug.',
    access: 'all_posts_list',
    product,
    params: z.object({ category: slugParam }),
    query: PostFilters,
    response: list,
  }),
  byTag: endpoint({
    method: 'GET',
    path: '/admin/tags/{tag}/posts',
    shows: ['post'],
    summary: 'List posts with a tag, by tag ID or slug.',
    access: 'all_posts_list',
    product,
    params: z.object({ tag: slugParam }),
    query: PostFilters,
    response: list,
  }),
  byUser: endpoint({
    method: 'GET',
    path: '/admin/users/{user}/posts',
    shows: ['post'],
    summary: 'List posts by an author, by author ID or slug.',
    access: 'all_posts_list',
    product,
    params: z.object({ user: slugParam }),
    query: PostFilters,
    response: list,
  }),
  getPost: endpoint({
    method: 'GET',
    path: '/admin/get-post',
    summary:
      'List a product’s posts by title for link pickers, up to the newest 5,000 (docs/spec-gaps.md G141).',
    access: 'all_posts_list',
    product,
    query: productQuery,
    response: z.object({
      data: z.array(
        z.object({
          id: z.number().int(),
          slug: z.string(),
          title: z.string(),
          published: z.number().int(),
        }),
      ),
    }),
  }),
  sameMeta: endpoint({
    method: 'GET',
    path: '/admin/articles/same-meta',
    summary:
      'List other posts in a product with the same meta title or meta description, up to five of each.',
    access: 'all_posts_list',
    product,
    query: z.object({
      product_id: recordId,
      except: recordId.optional(),
      meta_title: text(300).default(''),
      meta_description: text(1000).default(''),
    }),
    response: z.object({ meta_title: z.array(z.string()), meta_description: z.array(z.string()) }),
  }),
  show: endpoint({
    method: 'GET',
    path: '/admin/posts/{slug}',
    shows: ['post'],
    summary: 'Get a post by slug, old slug, or ID.',
    access: 'all_posts_list',
    product,
    params: bySlug,
    query: productQuery,
    response: z.object({ data: Post }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/admin/posts',
    summary: 'Create a post with the caller as its author.',
    act: 'Created',
    access: 'all_posts_create',
    product,
    query: productQuery,
    record: 'post',
    notFields: ['new_slug', 'remove_image'],
    body: NewPost,
    files: articleFiles,
    maxBytes: articleBytes,
    response: z.object({ message: z.string(), data: Post }),
  }),
  update: endpoint({
    method: 'PUT',
    path: '/admin/posts/{slug}',
    summary:
      'Update the given fields of a post. Only its author can do this. `new_slug` changes its slug; the old slug keeps working.',
    act: 'Edited',
    access: 'all_posts_list',
    product,
    params: bySlug,
    query: productQuery,
    record: 'post',
    notFields: ['new_slug', 'remove_image'],
    body: PostChange,
    files: articleFiles,
    maxBytes: articleBytes,
    response: changedReply(Post),
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/admin/posts/{slug}',
    summary: 'Move a post to trash. Only admins, its author, and the category’s moderators can do this.',
    act: 'Moved to trash',
    access: 'all_posts_delete',
    product,
    params: bySlug,
    query: productQuery,
    response: ActReply,
  }),
  publishing: endpoint({
    method: 'POST',
    path: '/admin/posts/{slug}/publishing',
    summary: 'Publish or unpublish a post. Only admins and the category’s moderators can do this.',
    act: 'Changed publication status',
    access: 'all_posts_list',
    product,
    params: bySlug,
    query: publishQuery.extend({ action: publishAction }),
    response: z.object({ message: z.string(), data: PostRow, operation: OperationRef.nullable() }),
  }),
  assignTags: endpoint({
    method: 'POST',
    path: '/admin/posts/{slug}/assign-tags',
    summary: 'Replace a post’s tags. Anyone who can move the post to trash can do this.',
    act: 'Changed tags',
    access: 'all_posts_list',
    product,
    params: bySlug,
    query: productQuery,
    body: PostTags,
    response: changedReply(Post),
  }),
  handOver: endpoint({
    method: 'POST',
    path: '/admin/posts/{slug}/author',
    summary: 'Change a post’s author.',
    act: 'Changed author',
    access: adminsWith('all_posts_list'),
    product,
    params: bySlug,
    query: productQuery,
    body: z.object({ author_id: recordId }),
    response: changedReply(Post),
  }),
}
