import { sql } from 'kysely'
import {
  daysToRate,
  ratings,
  scoreNames,
  scores,
  type Score,
} from '#features/crm/support/ratings.contract.ts'
import { isSaid } from '#features/crm/support/server/conditions.ts'
import type { Db } from '#server/db/db.ts'
import { HttpError, notFound } from '#server/http/errors.ts'
import { createThrottle } from '#server/http/throttle.ts'
import { html, type Html } from '#server/html/html.ts'
import type { App, Handler } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import { addNotices } from '#server/record/notices.ts'

const title = 'Your rating'
const purpose = 'rating'

/** Returns the address of the page for rating an answer; null if its email doesn't ask. */
async function linkOf({ mail, settings }: App, db: Db, mail_id: number): Promise<string | null> {
  const asked = await db
    .selectFrom('ticket_ratings as r')
    .innerJoin('ticket_messages as m', 'm.id', 'r.message_id')
    .select('r.message_id')
    .where('m.mail_id', '=', mail_id)
    .executeTakeFirst()
  if (!asked || settings.publicUrl === undefined) return null
  return `${settings.publicUrl}/api/public/rating/${await mail.tokens.make(purpose, asked.message_id)}`
}

/** @throws HttpError 404 if the link isn't ours, and 410 if it is no longer valid. */
async function findAsked({ mail }: App, db: Db, token: string, now: Date) {
  const id = await mail.tokens.read(purpose, token)
  if (id === undefined)
    throw notFound('This link isn’t valid. Use the link exactly as it appears in the email.')
  const asked = await db
    .selectFrom('ticket_ratings as r')
    .innerJoin('ticket_messages as m', 'm.id', 'r.message_id')
    .innerJoin('tickets as t', 't.id', 'm.ticket_id')
    .select([
      'r.message_id',
      'r.is_good',
      'r.comment',
      'm.ticket_id',
      'm.staff_id',
      't.title',
      't.assignee_id',
      sql<number | null>`(select e.product_id from mails e where e.id = m.mail_id)`.as('product_id'),
    ])
    .where('r.message_id', '=', id)
    .where('r.asked_at', '>', new Date(now.getTime() - daysToRate * 86_400_000).toISOString())
    .where('t.deleted_at', 'is', null)
    .where(isSaid)
    .executeTakeFirst()
  if (!asked) throw new HttpError(410, 'This link is no longer valid.')
  return asked
}

/** Returns a page with the heading of the email that led to it, so that the customer knows whose it is. */
async function pageOf({ mail }: App, db: Db, { product_id }: { product_id: number | null }, content: Html) {
  const { heading } = await mail.senderOf(db, product_id === null ? {} : { product_id })
  return { title, content: html`${heading === '' ? '' : html`<p><strong>${heading}</strong></p>`}${content}` }
}

const scoreOf = (is_good: boolean | null): Score | undefined =>
  is_good === null ? undefined : is_good ? 'good' : 'bad'

const ask: Handler<typeof ratings.ask> = async ({ params, query }, { app, db, clock }) => {
  const asked = await findAsked(app, db, params.token, clock.now())
  const chosen = query.score ?? scoreOf(asked.is_good)
  const choices = scoreNames.map(
    (score) =>
      html`<p>
        <label>
          <input type="radio" name="score" value="${score}" required ${score === chosen ? 'checked' : ''} />
          ${scores[score]}
        </label>
      </p>`,
  )
  return pageOf(
    app,
    db,
    asked,
    html`<h1>How was our answer?</h1>
      <p>${asked.title}</p>
      <form method="post" action="?">
        ${choices}
        <p>
          <label>
            Comment (optional)<br />
            <textarea name="comment" rows="4" cols="40" maxlength="1000">${asked.comment}</textarea>
          </label>
        </p>
        <button>Send</button>
      </form>`,
  )
}

/** Limits how often a link is used, and how often an address uses links. */
function limitRatings(app: App) {
  const [byLink, byAddress] = [
    createThrottle(app.pool, 'rating', 10),
    createThrottle(app.pool, 'rating-address', 60),
  ]
  return async (token: string, address: string): Promise<void> => {
    if (!app.settings.rateLimits) return
    await byAddress.consume(address)
    await byLink.consume(token)
  }
}

/** Removes the notices of the rating that a new one replaces. */
const forgetNotice = (db: Db, { id, anchor }: { id: number; anchor: string }) =>
  db
    .deleteFrom('notices')
    .where('kind', '=', 'rated')
    .where('record_type', '=', 'ticket')
    .where('record_id', '=', id)
    .where('anchor', '=', anchor)
    .execute()

const rateWithin =
  (limit: ReturnType<typeof limitRatings>): Handler<typeof ratings.rate> =>
  async ({ params, body: { score, comment } }, { app, db, clock, request, audit, changed, afterCommit }) => {
    await limit(params.token, request.ip)
    const { message_id, ticket_id, ...asked } = await findAsked(app, db, params.token, clock.now())
    await db
      .updateTable('ticket_ratings')
      .set({ is_good: score === 'good', comment, rated_at: clock.now().toISOString() })
      .where('message_id', '=', message_id)
      .execute()
    audit({
      target: 'ticket',
      id: ticket_id,
      before: { rating: scoreOf(asked.is_good) ?? null, rating_comment: asked.comment },
      after: { rating: score, rating_comment: comment },
    })
    changed('ticket', [ticket_id])
    const record = { type: 'ticket', id: ticket_id, title: asked.title, anchor: `message-${message_id}` }
    const people = [...new Set([asked.staff_id, asked.assignee_id])].flatMap((id) =>
      id === null ? [] : [{ id, record }],
    )
    const words = `The customer rated the answer: ${scores[score]}.${comment === '' ? '' : ` ${comment}`}`
    await forgetNotice(db, record)
    await addNotices(app, { db, afterCommit }, { kind: 'rated', by: null, words, people })
    return pageOf(
      app,
      db,
      asked,
      html`<h1>Thank you</h1>
        <p>Your rating: <strong>${scores[score]}</strong>. You can close this page.</p>`,
    )
  }

/**
 * Registers the public page on which customers rate answers. Opening it counts nothing, because email clients and
 * scanners open every link.
 */
export function ratingRoutes(app: App): void {
  // The link is made when the email is sent, so that no one can rate an answer from the outbox.
  app.mail.delivery.registerLink('ticket', (tx, mail_id) => linkOf(app, tx, mail_id))
  implement(app, ratings.ask, ask)
  implement(app, ratings.rate, rateWithin(limitRatings(app)))
}
