import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Server as HttpServer } from 'node:http'
import { Server, type Socket } from 'socket.io'
import { countFailure, type FailureLog } from '#server/jobs/failures.ts'
import { bearerToken, type Sessions } from '#server/http/session.ts'
import { roomOf, type Channels } from '#server/live/channels.ts'
import { RecentEvents } from '#server/live/recent-events.ts'
import type { Person } from '#server/live/presence.ts'

/** Maximum time until a session that ended without a notification is detected. */
const checkEveryMs = 60_000
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

export interface SocketOptions {
  sessions: Sessions
  isOwnOrigin: (origin: string | undefined) => boolean
  log: FailureLog
}

/** A socket, and the user to whom it must belong. */
export interface Tab {
  socket: string
  staff_id: number
}

/** Answer to a subscription. */
interface Joined {
  joined: boolean
  /** Milliseconds since the channel's last event, which the tab may have missed; absent if it is long ago. */
  ms_since_last?: number
}

/** What to do when a socket has joined or left a channel. */
interface Watcher {
  joined: (channel: string, socket: string, person: Person) => void
  left: (channel: string, socket: string) => void
}

/** The sockets of the browsers connected to this process, and the channels that each has joined. */
export class Sockets {
  readonly #options: SocketOptions
  readonly #channels: Channels
  readonly #watcher: Watcher
  readonly #recent = new RecentEvents()
  #io: Server | undefined
  #checking: NodeJS.Timeout | undefined

  constructor(options: SocketOptions, channels: Channels, watcher: Watcher) {
    this.#options = options
    this.#channels = channels
    this.#watcher = watcher
  }

  /**
   * Returns the signature with which a socket joins a channel; it is bound to the socket, the channel, and
   * the session's token.
   */
  sign(token: string, socketId: string, channel: string): string {
    return createHmac('sha256', token).update(`${socketId}:${channel}`).digest('hex')
  }

  /** Number of browsers that are connected to this process. */
  get count(): number {
    return this.#io?.sockets.sockets.size ?? 0
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
    this.#io.on('connection', (socket) => this.#serve(socket))
  }

  #serve(socket: Socket): void {
    dropWhenStuck(socket)
    let joining = 0
    socket.on('subscribe', (wanted: unknown, done: unknown) => {
      // Each subscription queries the database.
      if ((joining += 1) > mostJoining) return drop(socket)
      void this.#join(socket, wanted)
        .then(
          (joined) => typeof done === 'function' && done(joined),
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
      for (const channel of socket.rooms) this.#watcher.left(channel, socket.id)
    })
  }

  async #signIn(socket: Socket): Promise<boolean> {
    const { token: own, headers } = socket.handshake.auth as { token?: unknown; headers?: unknown }
    const token = typeof own === 'string' ? own : tokenOf(headers)
    const viewer = typeof token === 'string' ? await this.#options.sessions.find(token) : undefined
    if (!viewer) return false
    socket.data = { token, session_id: viewer.session_id, staff_id: viewer.id, name: viewer.name }
    return true
  }

  async #join(socket: Socket, wanted: unknown): Promise<Joined> {
    const refused = { joined: false }
    const { channel, auth } = (wanted ?? {}) as { channel?: unknown; auth?: unknown }
    if (typeof channel !== 'string' || channel.length > 100 || !this.#isAuthorized(socket, channel, auth))
      return refused
    const viewer = await this.#options.sessions.find(socket.data.token)
    if (!viewer || !(await this.#channels.mayJoin(channel, viewer))) return refused
    // The socket may have disconnected by now, and would then stay in the channel forever.
    if (!socket.connected) return refused
    const rooms = [
      channel,
      ...(this.#channels.productsOf(channel)
        ? viewer.products.map((product) => roomOf(channel, product))
        : []),
    ]
    await socket.join(rooms)
    this.#watcher.joined(channel, socket.id, { id: viewer.id, name: viewer.name })
    const ms_since_last = this.#recent.msSinceLast(rooms, socket.id)
    return { joined: true, ...(ms_since_last === undefined ? {} : { ms_since_last }) }
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
    this.#watcher.left(channel, socket.id)
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

  /** Emits an event to this process's sockets in a channel; `except` skips the tab that caused it. */
  emit(channel: string, event: string, values: readonly unknown[], except?: Tab): void {
    // Only skip the user's own socket. Without this check, `except` could name a channel or another user's
    // socket, and others would miss the event.
    const isOwn =
      except !== undefined && this.#io?.sockets.sockets.get(except.socket)?.data.staff_id === except.staff_id
    this.#recent.remember(channel, isOwn ? except.socket : undefined)
    const audience = isOwn ? this.#io?.to(channel).except(except.socket) : this.#io?.to(channel)
    audience?.emit(event, ...values)
  }

  /**
   * Closes the sockets whose session has ended; sessions that expire or idle out end without a notification.
   */
  async checkSockets(): Promise<void> {
    for (const socket of this.#io?.sockets.sockets.values() ?? []) {
      const viewer = await this.#options.sessions.find(socket.data.token, { isUse: false })
      if (!viewer) this.disconnect([socket.data.session_id])
    }
  }

  /** Closes the sockets of ended sessions. */
  disconnect(session_ids: readonly number[]): void {
    for (const socket of this.#io?.sockets.sockets.values() ?? []) {
      if (!session_ids.includes(socket.data.session_id)) continue
      socket.emit('session.ended', {})
      socket.disconnect(true)
    }
  }

  /** Makes a user's sockets leave the channels that the user is no longer allowed to join. */
  async leaveForbidden(staff_id: number): Promise<void> {
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
        if (channel !== socket.id && !(await this.#channels.mayJoin(channel, viewer)))
          await this.#leave(socket, channel)
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#checking)
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
