import { z } from 'zod'
import type { Fields } from '#shared/field.ts'
import { byName } from '#shared/field.ts'
import { instant, oneOf } from '#shared/schemas.ts'

const int = z.number().int()

/** 0 pending, 1 approved, 2 spam. */
export const commentStates = { 0: 'Pending', 1: 'Approved', 2: 'Spam' } as const

/** The fields of a comment, in the order of the list. Users can change only its state. */
export const commentFields = {
  id: { label: 'Number', column: false, reply: int },
  body: { label: 'Comment', column: false, reply: z.string() },
  sender_name: { label: 'From', column: false, reply: z.string() },
  sender_email: { label: 'Email', column: false, reply: z.string() },
  user_id: { label: 'User', column: false, reply: int.nullable() },
  state: {
    label: 'Status',
    input: oneOf(0, 1, 2),
    reply: int,
    words: byName(commentStates),
  },
  /** The post that the comment is on. */
  post: {
    label: 'Post',
    column: false,
    reply: z.object({
      id: int,
      slug: z.string(),
      title: z.string(),
      product_id: int,
      author_id: int,
    }),
  },
  created_at: { label: 'Posted', column: false, reply: instant },
} as const satisfies Fields
