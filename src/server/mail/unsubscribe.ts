import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { sql, type Transaction } from 'kysely'
import type { LiveName } from '#shared/records.ts'
import type { Database, Db } from '#server/db/db.ts'
import type { Change } from '#server/http/audit.ts'

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

/** Unsubscribe links, one per email and recipient, signed with a key stored in the database. */
export class Unsubscribing {
  readonly #db: Db
  readonly #onUnsubscribe: OnUnsubscribe[] = []
  #key: Promise<Buffer> | undefined

  constructor(db: Db) {
    this.#db = db
  }

  /** Returns the token for a recipient's link. */
  async tokenFor(recipient_id: number): Promise<string> {
    const id = recipient_id.toString(36)
    return `${id}.${await this.#sign(id)}`
  }

  /**
   * Finds the recipient that a link belongs to; returns undefined if we did not create the link, or if its
   * email no longer exists.
   */
  async find(
    token: string,
  ): Promise<{ mail_id: number; address: string; record: MailRecord | undefined } | undefined> {
    const [, id, signature] = /^([a-z0-9]{1,11})\.([\w-]{32})$/.exec(token) ?? []
    if (id === undefined || !timingSafeEqual(Buffer.from(await this.#sign(id)), Buffer.from(signature!)))
      return undefined
    const row = await this.#db
      .selectFrom('mail_recipients as r')
      .innerJoin('mails as m', 'm.id', 'r.mail_id')
      .select(['r.mail_id', 'r.address', 'm.record_type', 'm.record_id'])
      .where('r.id', '=', parseInt(id, 36))
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

  async #sign(id: string): Promise<string> {
    this.#key ??= this.#readKey().catch((error: unknown) => {
      this.#key = undefined
      throw error
    })
    return createHmac('sha256', await this.#key)
      .update(`unsubscribe:${id}`)
      .digest('base64url')
      .slice(0, 32)
  }

  async #readKey(): Promise<Buffer> {
    await this.#db
      .insertInto('mail_keys')
      .values({ key: randomBytes(32) })
      .onConflict((held) => held.doNothing())
      .execute()
    return (await this.#db.selectFrom('mail_keys').select('key').executeTakeFirstOrThrow()).key
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
