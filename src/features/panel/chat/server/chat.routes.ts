import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import { channel, chat, chatRecord, words } from '#features/panel/chat/contract.ts'
import {
  findAfter,
  findBefore,
  findUnread,
  muteChat,
  readUpTo,
  storeMessage,
} from '#features/panel/chat/server/chat.queries.ts'
import { Feed } from '#features/panel/chat/server/feed.ts'
import { findActive } from '#features/panel/chat/server/members.queries.ts'
import { HttpError, invalid } from '#server/http/errors.ts'
import type { App, Handler } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import { tellMentioned } from '#server/record/mentions.ts'

/** Rate limit per admin user and process. */
const mostMessages = { points: 40, duration: 10 }

export function chatRoutes(app: App): void {
  // The chat is open to all staff (docs/spec-gaps.md G154).
  app.live.allow((wanted) => (wanted === `private-${channel}` ? true : undefined))
  const feed = new Feed(app.db, app.live, app.http.log)
  app.jobs.onStart(() => feed.start())
  const limiter = new RateLimiterMemory(mostMessages)

  implement(app, chat.list, async ({ query: { limit, id, after } }, { db }) => ({
    data: after === undefined ? await findBefore(db, limit, id) : await findAfter(db, after, limit),
  }))

  implement(app, chat.send, async ({ body }, context) => {
    const { db, viewer, request, afterCommit } = context
    if (app.settings.rateLimits)
      await limiter.consume(viewer.id).catch((refusal: RateLimiterRes) => {
        throw new HttpError(429, 'You’re sending messages too quickly. Wait a moment and try again.', {
          retryAfter: Math.ceil(refusal.msBeforeNext / 1000),
        })
      })
    const data = await storeMessage(db, viewer.id, body.message, body.client_id)
    await tellPeople(app, context, data.id, body)
    const socket = request.headers['x-socket-id']
    afterCommit(() =>
      feed.announce(data.id, typeof socket === 'string' ? { socket, staff_id: viewer.id } : undefined),
    )
    return { message: 'Message sent.', data }
  })

  implement(app, chat.unread, (_input, { db, viewer }) => findUnread(db, viewer.id))

  implement(app, chat.read, async ({ body }, { db, viewer, changed }) => {
    await readUpTo(db, viewer.id, body.id)
    changed('chat', [])
    return { message: 'Marked as read.' }
  })

  implement(app, chat.mute, async ({ body: { muted } }, { db, viewer, changed }) => {
    await muteChat(db, viewer.id, muted)
    changed('chat', [])
    return { message: muted ? 'Chat muted. Mentions in it send no notices.' : 'Chat unmuted.' }
  })
}

/**
 * Notifies the people whom a message mentions, without an email, which would be as much as an email per message.
 * @throws HttpError 422 if one of them can't sign in
 */
async function tellPeople(
  app: App,
  context: Parameters<Handler<typeof chat.send>>[1],
  id: number,
  { message, tag_user = [] }: { message: string; tag_user?: readonly number[] | undefined },
): Promise<void> {
  const tagged = new Set(tag_user)
  if (tagged.size === 0) return
  const people = await findActive(context.db, [...tagged])
  if (people.length < tagged.size) throw invalid('tag_user', 'You can only mention active admin users.')
  const { anchorPrefix, ...chatItself } = chatRecord
  const record = { ...chatItself, title: words.header, path: undefined, anchor: `${anchorPrefix}${id}` }
  await tellMentioned(app, context, {
    people: people.map((one) => ({ ...one, record })),
    words: message,
    byEmail: false,
  })
}
