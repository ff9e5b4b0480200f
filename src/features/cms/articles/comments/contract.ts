import { z } from 'zod'
import { checkedByQuery, endpoint } from '#shared/endpoint.ts'
import { emailOrEmpty, instant, oneOf, recordId, requiredText, text } from '#shared/fields.ts'
import { pageNumber } from '#shared/page.ts'
import { ActReply, listReply, recordIds } from '#shared/record.contract.ts'
import { slugParam } from '#features/cms/articles/shared/contract.ts'

/** 0 pending, 1 approved, 2 spam. */
export const commentStates = { 0: 'Pending', 1: 'Approved', 2: 'Spam' } as const

export const CommentFilters = z.object({ page: pageNumber.default(1), search: text(200).default(''), state: oneOf(0, 1, 2).optional() })

export const Comment = z.object({
  id: z.number().int(),
  /** The post commented on. */
  post: z.object({ id: z.number().int(), slug: z.string(), title: z.string(), product_id: z.number().int(), author_id: z.number().int() }),
  user_id: z.number().int().nullable(),
  sender_name: z.string(),
  sender_email: z.string(),
  body: z.string(),
  state: z.number().int(),
  moderated: z.boolean(),
  created_at: instant,
  version: z.number().int(),
})
export type Comment = z.output<typeof Comment>

export const comments = {
  list: endpoint({
    method: 'GET',
    path: '/admin/comments',
    summary: 'The latest comments on posts of the caller’s products, twenty to a page.',
    access: 'latest_comments_list',
    query: CommentFilters,
    response: listReply(Comment),
  }),
  byPost: endpoint({
    method: 'GET',
    path: '/admin/posts/{id}/comments',
    summary: 'The comments on a post, by its id or address.',
    access: 'latest_comments_list',
    params: z.object({ id: slugParam }),
    query: CommentFilters,
    response: listReply(Comment),
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/admin/comments/{id}',
    summary: 'Moves a comment to the trash: its owner, an admin, the author of the post, a moderator of its category.',
    act: 'Moved to the trash',
    access: 'latest_comments_list',
    params: z.object({ id: recordId }),
    response: ActReply,
  }),
  setState: endpoint({
    method: 'POST',
    path: '/admin/comments/state',
    summary: 'Approves comments, or marks them as spam or pending; who may delete them may.',
    act: 'Changed the state',
    access: 'latest_comments_list',
    body: z.object({ ids: recordIds, state: oneOf(0, 1, 2) }),
    response: ActReply,
  }),
  inbound: endpoint({
    method: 'POST',
    path: '/inbound/comment',
    summary: 'A comment from a public site, which shows the shared secret in X-Inbound-Secret; once per message_id.',
    act: 'Came in',
    access: 'public',
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
