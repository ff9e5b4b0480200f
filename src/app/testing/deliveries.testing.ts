import { sql } from 'kysely'
import { expect } from 'vitest'
import { openDatabaseOf, type Panel } from '#app/testing/panel.testing.ts'
import type { ReceivedMail } from '#server/mail/mail-server.testing.ts'

/* Emails of a panel that is killed while it sends them. */

/** Counts the received emails by recipient. */
export function countMails(received: readonly ReceivedMail[], addresses: readonly string[]) {
  const times = (address: string) => received.filter(({ to }) => to[0] === address).length
  return {
    arrived: received.length,
    missing: addresses.filter((address) => times(address) === 0).length,
    twice: addresses.filter((address) => times(address) > 1),
    messageIds: new Set(received.map(({ messageId }) => messageId)).size,
  }
}

/**
 * Backdates in-flight sends by more than the ten minutes that an attempt may take; returns the number of
 * these sends.
 */
export async function letTenMinutesPass(panel: Panel): Promise<number> {
  const { db, close } = openDatabaseOf(panel)
  const { numAffectedRows } =
    await sql`update mail_recipients set sending_since = sending_since - interval '11 minutes' where state = 'sending'`.execute(
      db,
    )
  await close()
  return Number(numAffectedRows)
}

/** Waits until all emails are marked as sent, after which none of them can be sent again. */
export async function untilSent(panel: Panel, expected: number): Promise<void> {
  const { db, close } = openDatabaseOf(panel)
  const countSent = async () => {
    const { count } = await db
      .selectFrom('mail_recipients')
      .select((of) => of.fn.countAll<number>().as('count'))
      .where('state', '=', 'sent')
      .executeTakeFirstOrThrow()
    return count
  }
  await expect.poll(countSent, { timeout: 60_000 + expected * 600 }).toBe(expected)
  await close()
}
