import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import { instant, storable, wholeNumber } from '#shared/fields.ts'

/** The texts of A §2, verbatim. */
export const words = {
  header: 'chat with authors',
  loadMore: 'load more messages',
  noMore: 'no more messages',
  placeholder: 'send a message',
} as const

/** The private channel, and its event for a sent message (A §7). */
export const channel = 'authors-chat'
export const sentEvent = 'message.sent'
/** Messages loaded at a time (A §9). */
export const messagesAtOnce = 10
export const longestMessage = 5000

export const ChatMessage = z.object({
  id: z.number().int(),
  message: z.string(),
  created_at: instant,
  user: z.object({ id: z.number().int(), slug: z.string(), name: z.string(), avatar: z.string().nullable() }),
})
export type ChatMessage = z.output<typeof ChatMessage>

const messageId = wholeNumber(1, 9_007_199_254_740_991)

export const NewMessage = z.object({
  message: storable(z.string('This must be text.'))
    .refine((text) => text.trim() !== '', 'Enter a message.')
    .refine((text) => text.length <= longestMessage, `Use ${longestMessage} characters or fewer.`),
  /** A UUID by the sender: the same message sent again is stored once. */
  client_id: z.uuid('This must be a UUID.').optional(),
})

export const chat = {
  list: endpoint({
    method: 'GET',
    path: '/admin/messages',
    summary:
      'List staff chat messages, newest first. Send `id` for messages before it, or `after` for messages after it, oldest first.',
    access: 'signed-in',
    query: z.object({
      limit: wholeNumber(1, 100).default(messagesAtOnce),
      id: messageId.optional(),
      after: wholeNumber(0, 9_007_199_254_740_991).optional(),
    }),
    response: z.object({ data: z.array(ChatMessage) }),
  }),
  send: endpoint({
    method: 'POST',
    path: '/admin/messages',
    summary: 'Send a message to the staff chat. Responds once it’s stored.',
    act: 'Sent a chat message',
    access: 'signed-in',
    body: NewMessage,
    response: z.object({ message: z.string(), data: ChatMessage }),
  }),
  unread: endpoint({
    method: 'GET',
    path: '/admin/messages/unread',
    summary: 'Get the caller’s number of unread messages (up to 100) and the last message they read.',
    access: 'signed-in',
    response: z.object({ count: z.number().int(), last_read_id: z.number().int() }),
  }),
  read: endpoint({
    method: 'POST',
    path: '/admin/messages/read',
    summary: 'Mark messages as read up to this one.',
    act: 'Marked chat as read',
    access: 'signed-in',
    body: z.object({ id: messageId }),
    response: z.object({ message: z.string() }),
  }),
}
