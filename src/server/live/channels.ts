import type { Viewer } from '#shared/endpoint.ts'
import { isLiveName, mayHear, type LiveName } from '#shared/records.ts'

/**
 * Decides whether a viewer can listen to a channel; returns undefined if the rule does not cover the channel.
 */
export type ChannelRule = (channel: string, viewer: Viewer) => boolean | undefined | Promise<boolean>

/** Returns the product of each of these records; IDs that no longer exist are omitted. */
export type ProductsOf = (ids: readonly number[]) => Promise<{ id: number; product: number | null }[]>

/** Returns the room for a channel's listeners who have a given product. */
export const roomOf = (channel: string, product: number) => `${channel}#${product}`

const recordsPrefix = 'private-records.'

/** The channels that exist, and who can join them. */
export class Channels {
  readonly #rules: ChannelRule[] = [
    (channel, viewer) =>
      channel.startsWith('private-staff.') ? channel === `private-staff.${viewer.id}` : undefined,
    (channel, viewer) => this.#mayHearRecords(channel, viewer),
  ]
  readonly #productsOf = new Map<string, ProductsOf>()
  readonly #presencePrefixes: string[] = []

  /** Adds a rule for a feature's channels. */
  allow(rule: ChannelRule): void {
    this.#rules.push(rule)
  }

  /** Notifies viewers of changes to records under a name only if their products include that of a record. */
  setProductsOf(name: LiveName, productsOf: ProductsOf): void {
    this.#productsOf.set(`${recordsPrefix}${name}`, productsOf)
  }

  /**
   * Allows channels named `NAME.ID` whose members can see each other. Whenever a user joins or leaves, the
   * event `presence` lists all members.
   */
  allowPresence(name: string, mayJoin: (id: number, viewer: Viewer) => boolean | Promise<boolean>): void {
    const prefix = `private-${name}.`
    this.#presencePrefixes.push(prefix)
    this.allow((channel, viewer) => {
      if (!channel.startsWith(prefix)) return undefined
      const id = channel.slice(prefix.length)
      return /^[1-9]\d{0,9}$/.test(id) && Number(id) <= 2_147_483_647 ? mayJoin(Number(id), viewer) : false
    })
  }

  async mayJoin(channel: string, viewer: Viewer): Promise<boolean> {
    for (const rule of this.#rules) {
      const answer = await rule(channel, viewer)
      if (answer !== undefined) return answer
    }
    return false
  }

  /** The channels `private-records.NAME`, each with the room `#PRODUCT` of its listeners who have a product. */
  #mayHearRecords(wanted: string, viewer: Viewer): boolean | undefined {
    const [channel = '', product] = wanted.split('#')
    const name = channel.startsWith(recordsPrefix) ? channel.slice(recordsPrefix.length) : undefined
    if (!isLiveName(name)) return undefined
    return (
      mayHear(name, viewer) &&
      (product === undefined || (this.#productsOf.has(channel) && viewer.products.includes(Number(product))))
    )
  }

  /** Returns how to look up the products of the records that a channel announces, if they have products. */
  productsOf(channel: string): ProductsOf | undefined {
    return this.#productsOf.get(channel)
  }

  /** Returns whether the members of a channel see each other. */
  hasPresence(channel: string): boolean {
    return this.#presencePrefixes.some((prefix) => channel.startsWith(prefix))
  }
}
