import { sql, type Transaction } from 'kysely'
import type { LiveName } from '#shared/records.ts'
import type { Database, Db } from '#server/db/db.ts'
import type { Change } from '#server/http/audit.ts'
import { LinkTokens } from '#server/mail/link-tokens.ts'

/** The record that an email is about. */
export interface MailRecord {
  type: string
  id: number
}

/** Returns the records that were changed, for their history and for open pages. */
type OnUnsubscribe = (
  db: Transaction<Database>,
  address: string,
  record: MailRecord | undefined,
) => Promise<readonly (Change & { target: LiveName })[]>

/** Unsubscribe links, one per email and recipient. */
export class Unsubscribing {
  readonly #db: Db
  readonly #tokens: LinkTokens
  readonly #onUnsubscribe: OnUnsubscribe[] = []

  constructor(db: Db, tokens = new LinkTokens(db)) {
    this.#db = db
    this.#tokens = tokens
  }

  /** Returns the token for a recipient's link. */
  tokenFor(recipient_id: number): Promise<string> {
    return this.#tokens.make('unsubscribe', recipient_id)
  }

  /**
   * Finds the recipient that a link belongs to; returns undefined if we did not create the link, or if its
   * email no longer exists.
   */
  async find(
    token: string,
  ): Promise<{ mail_id: number; address: string; record: MailRecord | undefined } | undefined> {
    const id = await this.#tokens.read('unsubscribe', token)
    if (id === undefined) return undefined
    const row = await this.#db
      .selectFrom('mail_recipients as r')
      .innerJoin('mails as m', 'm.id', 'r.mail_id')
      .select(['r.mail_id', 'r.address', 'm.record_type', 'm.record_id'])
      .where('r.id', '=', id)
      .executeTakeFirst()
    if (!row) return undefined
    const { mail_id, address, record_type, record_id } = row
    return {
      mail_id,
      address,
      record: record_type === null ? undefined : { type: record_type, id: record_id! },
    }
  }

  /** Registers a handler that runs in the same transaction when a recipient unsubscribes. */
  onUnsubscribe(handler: OnUnsubscribe): void {
    this.#onUnsubscribe.push(handler)
  }

  /**
   * Records that an address has unsubscribed and stops the emails that have not been sent to it yet; returns
   * the IDs of these emails, and the changes to other records.
   */
  async unsubscribe(
    db: Transaction<Database>,
    address: string,
    record: MailRecord | undefined,
  ): Promise<{ mails: number[]; changes: Awaited<ReturnType<OnUnsubscribe>> }> {
    await db
      .insertInto('mail_unsubscribed')
      .values({ address })
      .onConflict((held) => held.doNothing())
      .execute()
    const { rows } = await sql<{ mail_id: number }>`
      update mail_recipients r set state = 'unsubscribed' from mails m
      where m.id = r.mail_id and m.unsubscribable and r.address = ${address}::citext and r.state in ('held', 'waiting', 'stopped') returning r.mail_id`.execute(
      db,
    )
    const changes = []
    for (const handler of this.#onUnsubscribe) changes.push(...(await handler(db, address, record)))
    return { mails: rows.map(({ mail_id }) => mail_id), changes }
  }
}

/** Returns which of these addresses have unsubscribed, in lowercase, for `chooseRecipients`. */
export async function findUnsubscribed(db: Db, addresses: readonly (string | null)[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('mail_unsubscribed')
    .select('address')
    .where('address', '=', sql<string>`any(${addresses}::citext[])`)
    .execute()
  return new Set(rows.map(({ address }) => address.toLowerCase()))
}
