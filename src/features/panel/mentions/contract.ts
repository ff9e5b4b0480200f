import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import { instant, recordId } from '#shared/schemas.ts'

const int = z.number().int()

/** Mentions are available to all roles, so they have a separate list. */
export const mentions = {
  list: endpoint({
    method: 'GET',
    path: '/admin/mentions',
    summary: 'List the caller’s latest mentions, newest first, up to 50, with the unread count.',
    access: 'signed-in',
    response: z.object({
      unread: int,
      data: z.array(
        z.object({
          id: int,
          who: z.string(),
          record_type: z.string(),
          record_id: int,
          title: z.string(),
          words: z.string(),
          created_at: instant,
          read_at: instant.nullable(),
        }),
      ),
    }),
  }),
  read: endpoint({
    method: 'POST',
    path: '/admin/mentions/read',
    summary: 'Mark the caller’s mentions as read, up to and including the given one.',
    act: 'Marked mentions as read',
    access: 'signed-in',
    body: z.object({ id: recordId }),
    response: z.object({ message: z.string() }),
  }),
}
