import type { Db } from '#server/db/db.ts'
import type { App } from '#server/app.ts'

/**
 * Returns a function that tells whether an address is one of the panel's own: of a sender, of a mailbox, or one at
 * which emails arrive. A copy to such an address would come back as an answer.
 * @param settings undefined to know only the addresses in the database
 */
export async function findOwnAddresses(
  db: Db,
  settings?: Pick<App['settings'], 'mailFrom' | 'inboundAddress'>,
): Promise<(address: string) => boolean> {
  const senders = await db.selectFrom('senders').select('address').where('address', '<>', '').execute()
  const mailboxes = await db.selectFrom('mailboxes').select('address').execute()
  const own = new Set(
    [
      /[^\s<>]+@[^\s<>]+/.exec(settings?.mailFrom ?? '')?.[0] ?? '',
      settings?.inboundAddress ?? '',
      ...[...senders, ...mailboxes].map(({ address }) => address),
    ].map(withoutTag),
  )
  return (address) => own.has(withoutTag(address))
}

/** Returns an address without what follows a plus sign, such as the token of a reply. */
const withoutTag = (address: string) => address.toLowerCase().replace(/\+[^@]*@/, '@')
