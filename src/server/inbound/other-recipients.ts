import type { Db } from '#server/db/db.ts'
import type { App } from '#server/app.ts'
import type { ParsedEmail } from '#server/inbound/email.ts'
import { findOwnAddresses } from '#server/inbound/own-addresses.ts'

/** Emails to more people than this are announcements; no one answers all of them. */
const mostOthers = 50

/**
 * Returns the addresses in To and Cc of an email, each once, without its sender and our own addresses, such as the one
 * that it was delivered to.
 */
export async function findOtherRecipients(
  { settings }: App,
  db: Db,
  { from, to, cc, arrived_at }: Pick<ParsedEmail, 'from' | 'to' | 'cc' | 'arrived_at'>,
): Promise<string[]> {
  const isOwn = await findOwnAddresses(db, settings)
  const left = new Set([from?.address, ...arrived_at].map((one) => one?.toLowerCase()))
  return [...new Set([...to, ...cc].map((one) => one.toLowerCase()))]
    .filter((one) => !isOwn(one) && !left.has(one))
    .slice(0, mostOthers)
}
