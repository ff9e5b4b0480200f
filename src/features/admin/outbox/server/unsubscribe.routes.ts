import { unsubscribing } from '#shared/mails.ts'
import { notFound } from '#server/http/errors.ts'
import { html } from '#server/html/html.ts'
import type { App, Handler } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'

const title = 'Unsubscribe'

const findUnsubscriber = async ({ mail }: App, token: string) => {
  const found = await mail.unsubscribing.find(token)
  if (!found)
    throw notFound('This link isn’t valid. Use the unsubscribe link exactly as it appears in the email.')
  return found
}

const askToUnsubscribe =
  (app: App): Handler<typeof unsubscribing.ask> =>
  async ({ params }) => {
    const { address } = await findUnsubscriber(app, params.token)
    return {
      title,
      content: html`<h1>Unsubscribe from these emails?</h1>
        <p>We’ll stop sending these emails to <strong>${address}</strong>.</p>
        <form method="post"><button>Unsubscribe</button></form>`,
    }
  }

const unsubscribe =
  (app: App): Handler<typeof unsubscribing.unsubscribe> =>
  async ({ params }, { db, audit, changed }) => {
    const found = await findUnsubscriber(app, params.token)
    const { mails, changes } = await app.mail.unsubscribing.unsubscribe(db, found.address, found.record)
    audit({ target: 'mail', id: found.mail_id, after: { unsubscribed: found.address } })
    if (mails.length) changed('mails', mails)
    for (const change of changes) {
      audit(change)
      changed(change.target, [change.id])
    }
    return {
      title,
      content: html`<h1>You’re unsubscribed</h1>
        <p>We won’t send these emails to <strong>${found.address}</strong> anymore.</p>`,
    }
  }

/**
 * Registers the endpoints for the public page behind `List-Unsubscribe`. Opening the page changes nothing,
 * because email clients and scanners open every link.
 */
export function unsubscribeRoutes(app: App): void {
  implement(app, unsubscribing.ask, askToUnsubscribe(app))
  implement(app, unsubscribing.unsubscribe, unsubscribe(app))
}
