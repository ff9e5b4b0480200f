import { z } from 'zod'
import { checkedByQuery, endpoint } from '#shared/endpoint.ts'
import { inputsOf, repliesOf } from '#shared/field.ts'
import { emailOrEmpty, instant, recordId, requiredText, text } from '#shared/schemas.ts'
import { pageNumber } from '#shared/page.ts'
import { ActReply, listReply, recordIds } from '#shared/record.contract.ts'
import { commentFields } from '#features/cms/articles/comments/fields.ts'
import { slugParam } from '#features/cms/articles/shared/contract.ts'

export const CommentFilters = z.object({
  page: pageNumber.default(1),
  search: text(200).default(''),
  state: commentFields.state.input.optional(),
})

export const Comment = z.object({
  ...repliesOf(commentFields),
  moderated: z.boolean(),
  version: z.number().int(),
})
export type Comment = z.output<typeof Comment>

/** Counts are exact up to this number. */
export const mostCounted = 1000

const CommentRow = Comment.extend({
  /** Approved comments with the same email address, at most 100; null without an address. */
  approved_earlier: z.number().int().nullable(),
})
export type CommentRow = z.output<typeof CommentRow>

/** A comment among the other ones on its post. */
export const CommentThread = z.object({
  data: CommentRow,
  post: z.object({
    product_id: z.number().int(),
    author: z.string(),
    published_at: instant.nullable(),
    comments: z.number().int(),
  }),
  /** Comments on the post, oldest first: the comment, and up to 20 before and after it. */
  thread: z.array(Comment),
})
export type CommentThread = z.output<typeof CommentThread>

export const comments = {
  list: endpoint({
    method: 'GET',
    path: '/admin/comments',
    shows: ['comment'],
    summary:
      'List the latest comments on posts of the caller’s products, 20 per page, with the number in each status.',
    access: 'latest_comments_list',
    query: CommentFilters,
    response: listReply(CommentRow).extend({
      counts: z.object({ 0: z.number().int(), 1: z.number().int(), 2: z.number().int() }),
    }),
  }),
  show: endpoint({
    method: 'GET',
    path: '/admin/comments/{id}',
    shows: ['comment'],
    summary: 'Get a comment with its post and the comments before and after it.',
    access: 'latest_comments_list',
    params: z.object({ id: recordId }),
    response: CommentThread,
  }),
  byPost: endpoint({
    method: 'GET',
    path: '/admin/posts/{id}/comments',
    shows: ['comment'],
    summary: 'List comments on a post, by post ID or slug.',
    access: 'latest_comments_list',
    params: z.object({ id: slugParam }),
    query: CommentFilters,
    response: listReply(Comment),
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/admin/comments/{id}',
    summary:
      'Move a comment to trash. Only its owner, admins, the post’s author, and the category’s moderators can do this.',
    act: 'Moved to trash',
    access: 'latest_comments_list',
    params: z.object({ id: recordId }),
    response: ActReply,
  }),
  setState: endpoint({
    method: 'POST',
    path: '/admin/comments/state',
    summary: 'Mark comments as approved, spam, or pending. Anyone who can move them to trash can do this.',
    act: 'Changed status',
    access: 'latest_comments_list',
    body: z.object({ ids: recordIds, ...inputsOf(commentFields) }),
    response: ActReply,
  }),
  inbound: endpoint({
    method: 'POST',
    path: '/inbound/comment',
    summary:
      'Receive a comment from a public site. Requires the shared secret in X-Inbound-Secret. Each message_id is stored once.',
    act: 'Received',
    calledBy: 'public sites',
    access: 'public',
    inboundSecret: true,
    product: checkedByQuery,
    body: z.object({
      product_id: recordId,
      /** Slug of the post. */
      post: requiredText(300),
      name: requiredText(200),
      email: emailOrEmpty.default(''),
      body: requiredText(10_000),
      message_id: requiredText(200),
    }),
    response: z.object({ message: z.string(), id: z.number().int() }),
  }),
}
