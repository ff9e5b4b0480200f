import { onTestFinished, vi } from 'vitest'
import type { MailProgress } from '#shared/mails.ts'
import type { TestApp } from '#app/testing/start.testing.ts'
import type { Mail } from '#server/mail/mail.ts'
import { openMailServer, type MailServer } from '#server/mail/mail-server.testing.ts'

/**
 * Starts an SMTP server on loopback that keeps all emails it receives and is closed when the test ends. Port
 * 0 means any free port.
 */
export async function startMailServer(port = 0): Promise<MailServer> {
  const server = await openMailServer(port)
  onTestFinished(server.close)
  return server
}

/** Returns an email's HTML without its inline styles. */
export const withoutStyles = (html: string): string => html.replaceAll(/ style="[^"]*"/g, '')

/** Returns a quoted-printable email without its soft line breaks. */
export const unfolded = (raw: string): string => raw.replaceAll('=\r\n', '').replaceAll('=3D', '=')

/** Queues an email with a short text. */
export const queue = (
  { app, db }: Pick<TestApp, 'app' | 'db'>,
  to: Mail['to'],
  more: Partial<Mail> = {},
): Promise<number> =>
  db.transaction().execute((tx) =>
    app.mail.queue(tx, {
      kind: 'test',
      to,
      subject: 'Hello',
      html: '<p>Hello</p>',
      text: 'Hello',
      ...more,
    }),
  )

/** Returns this many addresses, in alphabetical order. */
export const many = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `guest${String(index).padStart(5, '0')}@hotel.example`)

export const eventually = (fact: () => Promise<void> | void): Promise<void> =>
  vi.waitFor(fact, { timeout: 30_000, interval: 50 })

export const addressesOf = (received: readonly { to: string[] }[]): string[] =>
  received.map(({ to }) => to[0]!).toSorted()

/** Returns how many recipients of an email are in each state. */
export async function counts({ db }: Pick<TestApp, 'db'>, id: number): Promise<MailProgress> {
  const rows = await db
    .selectFrom('mail_recipients')
    .select(['state', (of) => of.fn.countAll<number>().as('count')])
    .where('mail_id', '=', id)
    .groupBy('state')
    .execute()
  const of = (state: string) => rows.find((row) => row.state === state)?.count ?? 0
  const found = {
    waiting: of('waiting') + of('sending'),
    sent: of('sent'),
    failed: of('failed'),
    stopped: of('stopped'),
    held: of('held'),
    canceled: of('canceled'),
    unsubscribed: of('unsubscribed'),
  }
  return { total: Object.values(found).reduce((sum, count) => sum + count), ...found }
}
