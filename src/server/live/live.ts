import type { Server as HttpServer } from 'node:http'
import type { LiveName } from '#shared/records.ts'
import { Channels, roomOf, type ProductsOf } from '#server/live/channels.ts'
import { Notices, type NoticeOptions, type Published } from '#server/live/notices.ts'
import { PresenceChannels, type Person, type PresenceNotice } from '#server/live/presence.ts'
import { Sockets, type SocketOptions, type Tab } from '#server/live/sockets.ts'

type Changed = (ids: readonly number[], by: number | null) => void

/** Time for which changes are collected before their products are looked up. */
const debounceMs = 25
/** If more records than this changed, the notification omits their IDs. */
const mostTold = 1000
/** Event sent only between processes: which of a process's users are in a channel. */
const presenceOfProcess = 'presence-of-process'
/** Event sent only between processes: a topic has something new, which is read from its table. */
const noticeOfTopic = 'notice-of-topic'

/**
 * The live connection: private channels that a socket can join with its session's permissions, and events
 * that reach browsers through every app process that uses the database (via LISTEN/NOTIFY, where a lost
 * notification only means a missed refresh).
 */
export class Live extends Channels {
  readonly #log: NoticeOptions['log']
  readonly #sockets: Sockets
  readonly #presence: PresenceChannels
  readonly #notices: Notices
  readonly #onChanged: { type: LiveName; handler: Changed }[] = []
  /** Changes whose products have not been looked up yet, by channel. */
  readonly #pendingByChannel = new Map<string, Published[]>()
  readonly #onNotice: { topic: string; handler: () => void }[] = []

  constructor(options: SocketOptions & NoticeOptions) {
    super()
    this.#log = options.log
    this.#sockets = new Sockets(options, this, {
      joined: (channel, socket, person) => {
        if (this.hasPresence(channel)) this.#presence.enter(channel, socket, person)
      },
      left: (channel, socket) => this.#presence.leave(channel, socket),
    })
    this.#presence = new PresenceChannels(
      (channel, people) => this.#sockets.emit(channel, 'presence', [{ channel, people }]),
      (channel, payload) => this.#notices.publish({ channel, event: presenceOfProcess, payload }),
    )
    this.#notices = new Notices(options, {
      hear: (from, published) => this.#hear(from, published),
      sessionsEnded: (session_ids) => this.#sockets.disconnect(session_ids),
      connected: async () => {
        // Notifications missed in the meantime may have ended sessions.
        await this.checkSockets()
        this.#hearNotice()
      },
    })
  }

  /** Number of browsers that are connected to this process. */
  get socketCount(): number {
    return this.#sockets.count
  }

  /** Serves sockets on an HTTP server, alongside its requests. */
  attach(server: HttpServer): void {
    this.#sockets.attach(server)
    this.#presence.start()
  }

  /**
   * Listens for notifications from the other processes, and reconnects whenever the database is available
   * again.
   */
  listen(): Promise<void> {
    return this.#notices.listen()
  }

  async close(): Promise<void> {
    this.#presence.stop()
    await this.#notices.close()
    await this.#sockets.close()
  }

  /** Returns the signature with which a socket joins a channel; see `Sockets.sign`. */
  sign(token: string, socketId: string, channel: string): string {
    return this.#sockets.sign(token, socketId, channel)
  }

  /** Returns the people in the channel `NAME.ID`, across all processes. */
  peopleIn(name: string, id: number): Person[] {
    return this.#presence.peopleIn(`private-${name}.${id}`)
  }

  /** Returns the IDs of the users whose panels are connected to this process. */
  peopleHere(): number[] {
    return this.#sockets.peopleHere()
  }

  /** Returns how many of this process's sockets are listening to a channel. */
  listenersOf(channel: string): number {
    return this.#sockets.listenersOf(channel)
  }

  /** Closes the sockets whose session has ended. */
  checkSockets(): Promise<void> {
    return this.#sockets.checkSockets()
  }

  publish(
    channel: string,
    event: string,
    payload: unknown,
    except?: Tab,
    left: readonly number[] = [],
  ): void {
    const published: Published = {
      channel,
      event,
      payload,
      ...(except ? { except } : {}),
      ...(left.length ? { left } : {}),
    }
    this.#tell(published)
    this.#notices.publish(published)
  }

  /**
   * Registers a handler for changes that this process makes to records of a type. The handler is called after
   * the commit with the IDs of all changed records.
   */
  onChanged(type: LiveName, handler: Changed): void {
    this.#onChanged.push({ type, handler })
  }

  /**
   * Announces that records of a type changed.
   * @param socket the socket of the tab that changed them, which is skipped because it refreshes when it gets
   * the response
   * @param left products that the records no longer belong to, whose lists are refreshed too
   */
  changed(
    type: LiveName,
    ids: readonly number[],
    by: number | null,
    socket?: string,
    left?: readonly number[],
  ): void {
    const except = socket === undefined || by === null ? undefined : { socket, staff_id: by }
    const tell = (some: readonly number[], who: number | null) =>
      this.publish(`private-records.${type}`, 'changed', { type, ids: some, by: who }, except, left)
    // If a large number of records changed, the notification says only that something changed. It
    // has room for a hundred IDs between processes.
    if (ids.length > mostTold) tell([], null)
    else for (let at = 0; at === 0 || at < ids.length; at += 100) tell(ids.slice(at, at + 100), by)
    for (const one of this.#onChanged) if (one.type === type) one.handler(ids, by)
  }

  /**
   * Registers a handler for a topic. It is called when any process publishes something new on the topic, and
   * when notifications may have been lost.
   */
  onNotice(topic: string, handler: () => void): void {
    this.#onNotice.push({ topic, handler })
  }

  /**
   * Notifies every process, including this one, that a topic has something new; each process reads it
   * independently.
   */
  notify(topic: string): void {
    this.#hearNotice(topic)
    if (!this.#notices.isWaiting(topic, noticeOfTopic))
      this.#notices.publish({ channel: topic, event: noticeOfTopic, payload: null })
  }

  #hearNotice(topic?: string): void {
    for (const one of this.#onNotice) if (topic === undefined || one.topic === topic) one.handler()
  }

  /**
   * Emits an event to this process's sockets only, with the channel as the first argument, as Laravel Echo
   * clients expect.
   */
  send(channel: string, event: string, payload: unknown, except?: Tab): void {
    this.#sockets.emit(channel, event, [channel, payload], except)
  }

  /**
   * Announces that users' permissions changed. Their tabs fetch the permissions again and leave channels that
   * they are no longer allowed to join.
   */
  rightsChanged(staff_ids: readonly number[]): void {
    for (const id of staff_ids) this.publish(`private-staff.${id}`, 'rights', {})
  }

  /** Closes the sockets of ended sessions, both here and in the other processes. */
  sessionsEnded(session_ids: readonly number[]): void {
    if (!session_ids.length) return
    this.#sockets.disconnect(session_ids)
    this.#notices.endSessions(session_ids)
  }

  #hear(from: string, published: Published): void {
    const { channel, event, payload } = published
    if (event === presenceOfProcess) this.#presence.hear(channel, from, payload as PresenceNotice)
    else if (event === noticeOfTopic) this.#hearNotice(channel)
    else this.#tell(published)
  }

  #tell(published: Published): void {
    const { channel, event } = published
    const productsOf = event === 'changed' ? this.productsOf(channel) : undefined
    if (productsOf) this.#queueProductLookup(published, productsOf)
    else this.#emit(published)
    if (event === 'rights') void this.#sockets.leaveForbidden(Number(channel.slice('private-staff.'.length)))
  }

  /**
   * Collects changes for a short time, because many can arrive together, and looks up the products for all of
   * them with a single query.
   */
  #queueProductLookup(published: Published, productsOf: ProductsOf): void {
    const waiting = this.#pendingByChannel.get(published.channel)
    if (waiting) return void waiting.push(published)
    const those = [published]
    this.#pendingByChannel.set(published.channel, those)
    setTimeout(() => {
      this.#pendingByChannel.delete(published.channel)
      void this.#tellByProduct(those, productsOf)
    }, debounceMs).unref()
  }

  async #tellByProduct(those: readonly Published[], productsOf: ProductsOf): Promise<void> {
    const payloads = those.map((one) => ({
      one,
      payload: one.payload as { ids: readonly number[]; by: number | null },
    }))
    const ids = [...new Set(payloads.flatMap(({ payload }) => payload.ids))]
    const records = await (ids.length ? productsOf(ids) : Promise.resolve([])).catch((error: unknown) => {
      this.#log.warn({ err: error }, 'could not look up the products of changed records')
    })
    for (const { one, payload } of payloads) {
      // If the lookup failed, refresh the lists anyway, without saying which records changed.
      if (!records) this.#emit({ ...one, payload: { ...payload, by: null, ids: [] } })
      else if (!payload.ids.length) this.#emit(one)
      else {
        const changed = records.filter(({ id }) => payload.ids.includes(id))
        const byProduct = Map.groupBy(changed, (record) => record.product)
        for (const [product, of] of byProduct)
          this.#emit({
            ...one,
            channel: product === null ? one.channel : roomOf(one.channel, product),
            payload: { ...payload, ids: of.map(({ id }) => id) },
          })
        for (const product of one.left ?? [])
          if (!byProduct.has(product))
            this.#emit({
              ...one,
              channel: roomOf(one.channel, product),
              payload: { ...payload, ids: [] },
            })
      }
    }
  }

  #emit({ channel, event, payload, except }: Published): void {
    this.#sockets.emit(channel, event, [payload], except)
  }
}
