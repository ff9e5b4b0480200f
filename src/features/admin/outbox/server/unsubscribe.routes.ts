import type { FastifyReply } from 'fastify'
import { unsubscribing } from '#shared/mails.ts'
import { html, type Html } from '#server/html.ts'
import { writeAudit } from '#server/http/audit.ts'
import { implement, type App } from '#server/http/implement.ts'

/**
 * Registers the endpoints for the public page behind `List-Unsubscribe`. Opening the page changes nothing,
 * because email clients and scanners open every link.
 */
export function unsubscribeRoutes(app: App): void {
  const { mail, live } = app

  implement(app, unsubscribing.ask, async ({ params }, { reply }) => {
    const found = await mail.findUnsubscriber(params.token)
    if (!found) return gone(reply)
    return page(
      reply,
      200,
      html`<h1>Unsubscribe from these emails?</h1>
        <p>We’ll stop sending these emails to <strong>${found.address}</strong>.</p>
        <form method="post"><button>Unsubscribe</button></form>`,
    )
  })

  implement(app, unsubscribing.unsubscribe, async ({ params }, { db, reply, request }) => {
    const found = await mail.findUnsubscriber(params.token)
    if (!found) return gone(reply)
    const { address, record } = found
    const { mails, changes } = await db.transaction().execute(async (tx) => {
      const unsubscribed = await mail.unsubscribe(tx, address, record)
      const endpoint = `${unsubscribing.unsubscribe.method} ${unsubscribing.unsubscribe.path}`
      const asked = {
        staff_id: null,
        act: 'Unsubscribed',
        endpoint,
        address: request.ip,
        request_id: request.id,
      }
      await writeAudit(tx, asked, [
        { target: 'mail', id: found.mail_id, after: { unsubscribed: address } },
        ...unsubscribed.changes,
      ])
      return unsubscribed
    })
    if (mails.length) live.changed('mails', mails, null)
    for (const { target, id } of changes) live.changed(target, [id], null)
    return page(
      reply,
      200,
      html`<h1>You’re unsubscribed</h1>
        <p>We won’t send these emails to <strong>${address}</strong> anymore.</p>`,
    )
  })
}

const gone = (reply: FastifyReply) =>
  page(
    reply,
    404,
    html`<h1>This link isn’t valid</h1>
      <p>Use the unsubscribe link exactly as it appears in the email.</p>`,
  )

const policy =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

function page(reply: FastifyReply, status: number, content: Html): FastifyReply {
  const whole = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>Unsubscribe</title>
        <style>
          :root {
            color-scheme: light dark;
          }
          body {
            max-width: 32rem;
            margin: 4rem auto;
            padding: 0 1rem;
            font:
              16px/1.5 system-ui,
              sans-serif;
            overflow-wrap: anywhere;
          }
          button {
            padding: 0.5rem 1.25rem;
            font: inherit;
          }
        </style>
      </head>
      <body>
        <main>${content}</main>
      </body>
    </html>`
  return reply
    .code(status)
    .header('Content-Security-Policy', policy)
    .type('text/html; charset=utf-8')
    .send(whole.text)
}
