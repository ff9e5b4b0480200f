import { z } from 'zod'
import { checkedByQuery, endpoint } from '#shared/endpoint.ts'
import { inputsOf, repliesOf } from '#shared/field.ts'
import { emailOrEmpty, recordId, requiredText, text } from '#shared/schemas.ts'
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

export const comments = {
  list: endpoint({
    method: 'GET',
    path: '/admin/comments',
    summary: 'List the latest comments on posts of the caller’s products, 20 per page.',
    access: 'latest_comments_list',
    query: CommentFilters,
    response: listReply(Comment),
  }),
  byPost: endpoint({
    method: 'GET',
    path: '/admin/posts/{id}/comments',
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
