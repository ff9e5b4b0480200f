import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import { channel, chat } from '#features/panel/chat/contract.ts'
import {
  findAfter,
  findBefore,
  findUnread,
  readUpTo,
  storeMessage,
} from '#features/panel/chat/server/chat.queries.ts'
import { Feed } from '#features/panel/chat/server/feed.ts'
import { HttpError } from '#server/http/errors.ts'
import { implement, type App } from '#server/http/implement.ts'

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

  implement(app, chat.send, async ({ body }, { db, viewer, request, afterCommit }) => {
    if (app.settings.rateLimits)
      await limiter.consume(viewer.id).catch((refusal: RateLimiterRes) => {
        throw new HttpError(429, 'You’re sending messages too quickly. Wait a moment and try again.', {
          retryAfter: Math.ceil(refusal.msBeforeNext / 1000),
        })
      })
    const data = await storeMessage(db, viewer.id, body.message, body.client_id)
    const socket = request.headers['x-socket-id']
    afterCommit(() =>
      feed.announce(data.id, typeof socket === 'string' ? { socket, staff_id: viewer.id } : undefined),
    )
    return { message: 'Message sent.', data }
  })

  implement(app, chat.unread, (_input, { db, viewer }) => findUnread(db, viewer.id))

  implement(app, chat.read, async ({ body }, { db, viewer }) => {
    await readUpTo(db, viewer.id, body.id)
    return { message: 'Marked as read.' }
  })
}
