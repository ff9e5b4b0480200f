import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Db } from '#server/db/db.ts'

/**
 * Tokens for links in emails: a number, signed for one purpose with a key stored in the database. They are as hard to
 * guess as the key, and nothing is stored for each of them.
 */
export class LinkTokens {
  readonly #db: Db
  #key: Promise<Buffer> | undefined

  constructor(db: Db) {
    this.#db = db
  }

  async make(purpose: string, number: number): Promise<string> {
    const id = number.toString(36)
    return `${id}.${await this.#sign(purpose, id)}`
  }

  /** Returns the number; undefined if the token was not made by us, or for another purpose. */
  async read(purpose: string, token: string): Promise<number | undefined> {
    const [, id, signature] = /^([a-z0-9]{1,11})\.([\w-]{32})$/.exec(token) ?? []
    if (id === undefined) return undefined
    const isOurs = timingSafeEqual(Buffer.from(await this.#sign(purpose, id)), Buffer.from(signature!))
    return isOurs ? parseInt(id, 36) : undefined
  }

  async #sign(purpose: string, id: string): Promise<string> {
    this.#key ??= this.#readKey().catch((error: unknown) => {
      this.#key = undefined
      throw error
    })
    return createHmac('sha256', await this.#key)
      .update(`${purpose}:${id}`)
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
