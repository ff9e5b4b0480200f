import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import type { Server as HttpServer } from 'node:http'
import pg from 'pg'
import { Server, type Socket } from 'socket.io'
import type { Viewer } from '#shared/endpoint.ts'
import type { LiveName } from '#shared/records.ts'
import { countFailure, type FailureLog } from '#server/failures.ts'
import { bearerToken, type Sessions } from '#server/http/session.ts'
import { Presence, type Person } from '#server/presence.ts'

/**
 * Decides whether a viewer can listen to a channel; returns undefined if the rule does not cover the channel.
 */
export type ChannelRule = (channel: string, viewer: Viewer) => boolean | undefined | Promise<boolean>

/** Returns the product of each of these records; IDs that no longer exist are omitted. */
type ProductsOf = (ids: readonly number[]) => Promise<{ id: number; product: number | null }[]>

/** Returns the room for a channel's listeners who have a given product. */
const roomOf = (channel: string, product: number) => `${channel}#${product}`

type Changed = (ids: readonly number[], by: number | null) => void

interface Published {
  channel: string
  event: string
  payload: unknown
  /**
   * Socket of the tab that caused the event, and the user to whom the socket must belong. That tab is skipped
   * because it refreshes itself.
   */
  except?: { socket: string; staff_id: number } | undefined
  /** Products that the changed records no longer belong to. */
  left?: readonly number[]
}
/** Message from one process to the others; the events in it are collected for a short time. */
interface Notice {
  from: string
  published: Published[]
  endedSessions: number[]
}

const debounceMs = 25
/** If more records than this changed, the notification omits their IDs. */
const mostTold = 1000
/** Maximum time until a session that ended without a notification is detected. */
const checkEveryMs = 60_000
const notifyChannel = 'live'
/** Interval at which a process re-announces who is present. */
const presenceEveryMs = 20_000
/** Event sent only between processes: which of a process's users are in a channel. */
const presenceOfProcess = 'presence-of-process'
/** Event sent only between processes: a topic has something new, which is read from its table. */
const noticeOfTopic = 'notice-of-topic'
/**
 * Maximum number of unread packets on a connection. Beyond that, the connection is closed; its page
 * reconnects and fetches what it missed.
 */
const mostWaiting = 1000
/**
 * Maximum number of pending subscriptions on a socket. A page joins only a few, and joins all of them again
 * after a reconnect.
 */
const mostJoining = 100
/** PostgreSQL limits a notification's payload to 8000 bytes. */
const maxNotice = 7500

interface LiveOptions {
  sessions: Sessions
  pool: pg.Pool
  connection: pg.ClientConfig
  isOwnOrigin: (origin: string | undefined) => boolean
  log: FailureLog & { warn: (details: object, text: string) => void }
}

/**
 * The live connection: private channels that a socket can join with its session's permissions, and events
 * that reach browsers through every app process that uses the database (via LISTEN/NOTIFY, where a lost
 * notification only means a missed refresh).
 */
export class Live {
  readonly #options: LiveOptions
  readonly #id = randomUUID()
  readonly #rules: ChannelRule[] = [
    (channel, viewer) =>
      channel.startsWith('private-staff.') ? channel === `private-staff.${viewer.id}` : undefined,
  ]
  readonly #productsOf = new Map<string, ProductsOf>()
  readonly #onChanged: { type: LiveName; handler: Changed }[] = []
  /** Changes whose products have not been looked up yet, by channel. */
  readonly #pendingByChannel = new Map<string, Published[]>()
  readonly #onNotice: { topic: string; handler: () => void }[] = []
  readonly #presence = new Presence()
  readonly #presenceOf: string[] = []
  #presenceTimer: NodeJS.Timeout | undefined
  #io: Server | undefined
  #listener: pg.Client | undefined
  #waiting: Notice
  #timer: NodeJS.Timeout | undefined
  #checking: NodeJS.Timeout | undefined
  #closed = false

  constructor(options: LiveOptions) {
    this.#options = options
    this.#waiting = this.#empty()
  }

  /** Adds a rule for a feature's channels. */
  allow(rule: ChannelRule): void {
    this.#rules.push(rule)
  }

  /**
   * Lets permitted viewers listen for changes to a record type, which refresh their lists.
   * @param productsOf for records with products: viewers are notified only about products assigned to them
   */
  allowRecords(type: LiveName, mayListen: (viewer: Viewer) => boolean, productsOf?: ProductsOf): void {
    const channel = `private-records.${type}`
    if (productsOf) this.#productsOf.set(channel, productsOf)
    this.allow((wanted, viewer) => {
      const [name, product] = wanted.split('#')
      if (name !== channel) return undefined
      return (
        mayListen(viewer) &&
        (product === undefined || (productsOf !== undefined && viewer.products.includes(Number(product))))
      )
    })
  }

  /**
   * Allows channels named `NAME.ID` whose members can see each other. Whenever a user joins or leaves, the
   * event `presence` lists all members.
   */
  allowPresence(name: string, mayJoin: (id: number, viewer: Viewer) => boolean | Promise<boolean>): void {
    const prefix = `private-${name}.`
    this.#presenceOf.push(prefix)
    this.allow((channel, viewer) => {
      if (!channel.startsWith(prefix)) return undefined
      const id = channel.slice(prefix.length)
      return /^[1-9]\d{0,9}$/.test(id) && Number(id) <= 2_147_483_647 ? mayJoin(Number(id), viewer) : false
    })
  }

  /** Returns the people in the channel `NAME.ID`, across all processes. */
  peopleIn(name: string, id: number): Person[] {
    return this.#presence.peopleIn(`private-${name}.${id}`)
  }

  async mayJoin(channel: string, viewer: Viewer): Promise<boolean> {
    for (const rule of this.#rules) {
      const answer = await rule(channel, viewer)
      if (answer !== undefined) return answer
    }
    return false
  }

  /**
   * Returns the signature with which a socket joins a channel; it is bound to the socket, the channel, and
   * the session's token.
   */
  sign(token: string, socketId: string, channel: string): string {
    return createHmac('sha256', token).update(`${socketId}:${channel}`).digest('hex')
  }

  /** Serves sockets on an HTTP server, alongside its requests. */
  attach(server: HttpServer): void {
    this.#io = new Server(server, {
      serveClient: false,
      maxHttpBufferSize: 64_000,
      transports: ['websocket', 'polling'],
      pingInterval: 20_000,
      cors: { origin: (origin, done) => done(null, this.#options.isOwnOrigin(origin)) },
      allowRequest: (request, done) => done(null, this.#options.isOwnOrigin(request.headers.origin)),
    })
    this.#checking = setInterval(
      () => void this.checkSockets().catch(countFailure(this.#options.log, 'could not check the sockets')),
      checkEveryMs,
    )
    this.#checking.unref()
    this.#io.use((socket, next) => {
      this.#signIn(socket).then(
        (signedIn) => next(signedIn ? undefined : new Error('Sign in to continue.')),
        () => next(new Error('The database isn’t responding.')),
      )
    })
    this.#io.on('connection', (socket) => {
      dropWhenStuck(socket)
      let joining = 0
      socket.on('subscribe', (wanted: unknown, done: unknown) => {
        // Each subscription queries the database.
        if ((joining += 1) > mostJoining) return drop(socket)
        void this.#join(socket, wanted)
          .then(
            (joined) => typeof done === 'function' && done({ joined }),
            () => typeof done === 'function' && done({ joined: false }),
          )
          .finally(() => (joining -= 1))
      })
      socket.on('unsubscribe', (unwanted: unknown) => {
        const { channel } = (unwanted ?? {}) as { channel?: unknown }
        if (typeof channel === 'string' && channel !== socket.id && socket.rooms.has(channel))
          void this.#leave(socket, channel)
      })
      socket.on('disconnecting', () => {
        for (const channel of socket.rooms) this.#isGone(socket, channel)
      })
    })
    this.#presenceTimer = setInterval(() => this.#repeatPresence(), presenceEveryMs)
    this.#presenceTimer.unref()
  }

  async #signIn(socket: Socket): Promise<boolean> {
    const { token: own, headers } = socket.handshake.auth as { token?: unknown; headers?: unknown }
    const token = typeof own === 'string' ? own : tokenOf(headers)
    const viewer = typeof token === 'string' ? await this.#options.sessions.find(token) : undefined
    if (!viewer) return false
    socket.data = { token, session_id: viewer.session_id, staff_id: viewer.id, name: viewer.name }
    return true
  }

  async #join(socket: Socket, wanted: unknown): Promise<boolean> {
    const { channel, auth } = (wanted ?? {}) as { channel?: unknown; auth?: unknown }
    if (typeof channel !== 'string' || channel.length > 100 || !this.#isAuthorized(socket, channel, auth))
      return false
    const viewer = await this.#options.sessions.find(socket.data.token)
    if (!viewer || !(await this.mayJoin(channel, viewer))) return false
    // The socket may have disconnected by now, and would then stay in the channel forever.
    if (!socket.connected) return false
    await socket.join(channel)
    if (this.#productsOf.has(channel))
      await socket.join(viewer.products.map((product) => roomOf(channel, product)))
    if (this.#presenceOf.some((prefix) => channel.startsWith(prefix))) {
      this.#presence.enter(channel, socket.id, { id: viewer.id, name: viewer.name })
      this.#announce(channel, true)
    }
    return true
  }

  /**
   * Checks the proof of authorization: our signature from `/broadcasting/auth`, or the session's own token,
   * as Laravel Echo clients send it.
   */
  #isAuthorized(socket: Socket, channel: string, auth: unknown): boolean {
    const [shown, wanted] =
      typeof auth === 'string'
        ? [auth, this.sign(socket.data.token, socket.id, channel)]
        : [tokenOf((auth as { headers?: unknown } | undefined)?.headers) ?? '', socket.data.token as string]
    const [one, other] = [Buffer.from(shown), Buffer.from(wanted)]
    return one.length === other.length && timingSafeEqual(one, other)
  }

  async #leave(socket: Socket, channel: string): Promise<void> {
    await socket.leave(channel)
    for (const room of socket.rooms) if (room.startsWith(`${channel}#`)) await socket.leave(room)
    this.#isGone(socket, channel)
  }

  #isGone(socket: Socket, channel: string): void {
    if (this.#presence.leave(channel, socket.id)) this.#announce(channel)
  }

  /**
   * Tells a channel who is present, and tells the other processes which of those users are connected to this
   * process; `asks` requests the same in return.
   */
  #announce(channel: string, asks = false): void {
    this.#showPeople(channel)
    this.#waiting.published.push({
      channel,
      event: presenceOfProcess,
      payload: { people: this.#presence.hereIn(channel), asks },
    })
    this.#scheduleNotify()
  }

  #showPeople(channel: string): void {
    this.#io?.to(channel).emit('presence', { channel, people: this.#presence.peopleIn(channel) })
  }

  #repeatPresence(): void {
    for (const channel of this.#presence.forgetSilent()) this.#showPeople(channel)
    for (const channel of this.#presence.channelsHere()) this.#announce(channel)
  }

  /** Returns the IDs of the users whose panels are connected to this process. */
  peopleHere(): number[] {
    return [
      ...new Set(
        [...(this.#io?.sockets.sockets.values() ?? [])].map((socket) => socket.data.staff_id as number),
      ),
    ]
  }

  /** Returns how many of this process's sockets are listening to a channel. */
  listenersOf(channel: string): number {
    return this.#io?.sockets.adapter.rooms.get(channel)?.size ?? 0
  }

  publish(
    channel: string,
    event: string,
    payload: unknown,
    except?: Published['except'],
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
    this.#waiting.published.push(published)
    this.#scheduleNotify()
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
    if (!this.#waiting.published.some(({ channel, event }) => channel === topic && event === noticeOfTopic))
      this.#waiting.published.push({ channel: topic, event: noticeOfTopic, payload: null })
    this.#scheduleNotify()
  }

  #hearNotice(topic?: string): void {
    for (const one of this.#onNotice) if (topic === undefined || one.topic === topic) one.handler()
  }

  /**
   * Emits an event to this process's sockets only, with the channel as the first argument, as Laravel Echo
   * clients expect.
   */
  send(channel: string, event: string, payload: unknown, except?: Published['except']): void {
    const isOwn =
      except !== undefined && this.#io?.sockets.sockets.get(except.socket)?.data.staff_id === except.staff_id
    const audience = isOwn ? this.#io?.to(channel).except(except.socket) : this.#io?.to(channel)
    audience?.emit(event, channel, payload)
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
    this.#disconnect(session_ids)
    this.#waiting.endedSessions.push(...session_ids)
    this.#scheduleNotify()
  }

  #tell(published: Published): void {
    const { channel, event } = published
    const productsOf = event === 'changed' ? this.#productsOf.get(channel) : undefined
    if (productsOf) this.#queueProductLookup(published, productsOf)
    else this.#emit(published)
    if (event === 'rights') void this.#leaveForbidden(Number(channel.slice('private-staff.'.length)))
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
      this.#options.log.warn({ err: error }, 'could not look up the products of changed records')
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
    // Only skip the user's own socket. Without this check, `except` could name a channel or another user's
    // socket, and others would miss the event.
    const isOwn =
      except !== undefined && this.#io?.sockets.sockets.get(except.socket)?.data.staff_id === except.staff_id
    const audience = isOwn ? this.#io?.to(channel).except(except.socket) : this.#io?.to(channel)
    audience?.emit(event, payload)
  }

  /**
   * Closes the sockets whose session has ended; sessions that expire or idle out end without a notification.
   */
  async checkSockets(): Promise<void> {
    for (const socket of this.#io?.sockets.sockets.values() ?? []) {
      const viewer = await this.#options.sessions.find(socket.data.token, { isUse: false })
      if (!viewer) this.#disconnect([socket.data.session_id])
    }
  }

  #disconnect(session_ids: readonly number[]): void {
    for (const socket of this.#io?.sockets.sockets.values() ?? []) {
      if (!session_ids.includes(socket.data.session_id)) continue
      socket.emit('session.ended', {})
      socket.disconnect(true)
    }
  }

  async #leaveForbidden(staff_id: number): Promise<void> {
    for (const socket of this.#io?.sockets.sockets.values() ?? []) {
      if (socket.data.staff_id !== staff_id) continue
      const viewer = await this.#options.sessions
        .find(socket.data.token, { isUse: false })
        .catch(() => undefined)
      if (!viewer) {
        socket.disconnect(true)
        continue
      }
      for (const channel of socket.rooms)
        if (channel !== socket.id && !(await this.mayJoin(channel, viewer)))
          await this.#leave(socket, channel)
    }
  }

  /* ---- between processes ---- */

  #empty(): Notice {
    return { from: this.#id, published: [], endedSessions: [] }
  }

  #scheduleNotify(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      const notice = this.#waiting
      this.#waiting = this.#empty()
      for (const part of splitNotice(notice))
        this.#options.pool
          .query('select pg_notify($1, $2)', [notifyChannel, part])
          .catch((error: unknown) =>
            this.#options.log.warn({ err: error }, 'could not send a live notification'),
          )
    }, debounceMs)
    this.#timer.unref()
  }

  /**
   * Listens for notifications from the other processes, and reconnects whenever the database is available
   * again.
   */
  async listen(): Promise<void> {
    if (this.#closed) return
    const client = new pg.Client({ ...this.#options.connection, keepAlive: true })
    this.#listener = client
    const again = () => {
      if (this.#listener !== client) return
      this.#listener = undefined
      client.end().catch(() => {})
      if (!this.#closed) setTimeout(() => void this.listen(), 500).unref()
    }
    client.on('error', again)
    client.on('end', again)
    client.on('notification', ({ payload }) => this.#hear(payload ?? ''))
    try {
      await client.connect()
      await client.query(`listen ${notifyChannel}`)
      // Notifications missed in the meantime may have ended sessions.
      await this.checkSockets()
      this.#hearNotice()
    } catch (error) {
      countFailure(this.#options.log, 'could not listen for notifications from other processes')(error)
      again()
    }
  }

  #hear(payload: string): void {
    let notice: Partial<Notice> | null
    try {
      notice = JSON.parse(payload) as Partial<Notice> | null
    } catch {
      return this.#options.log.warn({}, 'could not parse a live notification')
    }
    if (
      notice?.from === this.#id ||
      !Array.isArray(notice?.published) ||
      !Array.isArray(notice.endedSessions)
    )
      return
    for (const published of notice.published) {
      if (published.event === presenceOfProcess) this.#hearPresence(notice.from ?? '', published)
      else if (published.event === noticeOfTopic) this.#hearNotice(published.channel)
      else this.#tell(published)
    }
    this.#disconnect(notice.endedSessions)
  }

  #hearPresence(from: string, { channel, payload }: Published): void {
    const { people, asks } = payload as { people: Person[]; asks: boolean }
    this.#presence.hear(channel, from, people)
    this.#showPeople(channel)
    if (asks && this.#presence.hereIn(channel).length) this.#announce(channel)
  }

  async close(): Promise<void> {
    this.#closed = true
    clearInterval(this.#presenceTimer)
    clearTimeout(this.#timer)
    clearInterval(this.#checking)
    const listener = this.#listener
    this.#listener = undefined
    await listener?.end().catch(() => {})
    await this.#io?.close()
  }
}

/**
 * Closes the connection of a client that never reads, because the server would buffer everything sent to it.
 */
function dropWhenStuck(socket: Socket): void {
  let waiting = 0
  // Packets are flushed whenever the transport accepts some of them.
  socket.conn.on('flush', () => (waiting = 0))
  socket.conn.on('packetCreate', () => {
    waiting += 1
    if (waiting > mostWaiting) drop(socket)
  })
}

function drop(socket: Socket): void {
  socket.conn.close(true)
  // A closing handshake would be queued behind the unread packets.
  socket.request.socket.destroy()
}

/** Returns the token from an `Authorization: Bearer` header. */
function tokenOf(headers: unknown): string | undefined {
  const value = (headers as Record<string, unknown> | undefined)?.['Authorization']
  return typeof value === 'string' ? bearerToken(value) : undefined
}

/**
 * Splits a notification into strings that are small enough for PostgreSQL; an event that is too large by
 * itself is dropped.
 */
function* splitNotice({ from, published, endedSessions }: Notice): Generator<string> {
  let part: Notice = { from, published: [], endedSessions }
  for (const one of published) {
    const larger = { ...part, published: [...part.published, one] }
    if (Buffer.byteLength(JSON.stringify(larger)) <= maxNotice) {
      part = larger
      continue
    }
    yield JSON.stringify(part)
    part = { from, published: [one], endedSessions: [] }
  }
  const last = JSON.stringify(part)
  if (Buffer.byteLength(last) <= maxNotice) yield last
}
