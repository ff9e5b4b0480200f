import type { Db } from '#server/db/db.ts'
import type { App } from '#server/app.ts'
import type { ParsedEmail } from '#server/inbound/email.ts'

/** Emails to more people than this are announcements; no one answers all of them. */
const mostOthers = 50

/** Returns the addresses in To and Cc of an email, each once, without its sender and our own addresses. */
export async function findOtherRecipients(
  { settings }: App,
  db: Db,
  { from, to, cc }: Pick<ParsedEmail, 'from' | 'to' | 'cc'>,
): Promise<string[]> {
  const senders = await db.selectFrom('senders').select('address').where('address', '<>', '').execute()
  const mailboxes = await db.selectFrom('mailboxes').select('address').execute()
  const own = new Set(
    [
      /[^\s<>]+@[^\s<>]+/.exec(settings.mailFrom ?? '')?.[0],
      settings.inboundAddress,
      from?.address,
      ...[...senders, ...mailboxes].map(({ address }) => address),
    ].map((one) => withoutTag(one ?? '')),
  )
  return [...new Set([...to, ...cc].map((one) => one.toLowerCase()))]
    .filter((one) => !own.has(withoutTag(one)))
    .slice(0, mostOthers)
}

/** Returns an address without what follows a plus sign, such as the token of a reply. */
const withoutTag = (address: string) => address.toLowerCase().replace(/\+[^@]*@/, '@')
