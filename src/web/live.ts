import type { Socket } from 'socket.io-client'
import { config } from '#web/config.ts'
import { accessToken, subscribe, viewer } from '#web/session.ts'

/*
 * The live connection, opened after sign-in with the session token; each channel is authorized separately
 * (docs/product.md#live-refresh). Everything works without it, but lists do not refresh automatically.
 */

type Handler = (payload: any) => void
interface Listener {
  event: string
  handler: Handler
  /**
   * Called when the channel's events begin to arrive, with the milliseconds since the last one, which was missed, and
   * when they stop.
   */
  onJoined?: ((isJoined: boolean, msSinceLast?: number) => void) | undefined
}

const listeners = new Map<string, Set<Listener>>()
/** Channels that the server has confirmed on the current connection. */
const joined = new Set<string>()
const reconnected = new Set<() => void>()
let socket: Socket | undefined
let opening: Promise<void> | undefined
/** Returns whether the requested connection has since been abandoned; undefined while none is requested. */
let isGivenUp: (() => boolean) | undefined
let wasConnected = false
let stopWatching: (() => void) | undefined

/**
 * Returns the value for X-Socket-ID, which the server uses to exclude this tab from events that it caused.
 */
export const socketId = (): string | undefined => (socket?.connected ? socket.id : undefined)

/** Opens the viewer's connection; returns a function that closes it. */
export function openLive(): () => void {
  let closed = false
  isGivenUp ??= () => closed
  begin()
  return () => {
    closed = true
    isGivenUp = undefined
    opening = undefined
    wasConnected = false
    stopWatching?.()
    socket?.disconnect()
    socket = undefined
  }
}

/**
 * Opens the connection if one is requested and none is being opened. Code that failed to load is retried the
 * next time a connection is needed.
 */
function begin(): void {
  if (opening || !isGivenUp) return
  const attempt = open(isGivenUp).catch(() => {
    if (opening === attempt) opening = undefined
  })
  opening = attempt
}

/**
 * Listens to an event on a channel until the returned function is called.
 * @param onJoined called with true when events begin to arrive reliably, and with false when they stop;
 * events missed in between have to be fetched
 */
export function listen(
  channel: string,
  event: string,
  handler: Handler,
  onJoined?: Listener['onJoined'],
): () => void {
  const listener: Listener = { event, handler, onJoined }
  const ofChannel = listeners.get(channel)
  if (ofChannel) {
    ofChannel.add(listener)
    if (joined.has(channel)) onJoined?.(true)
  } else {
    listeners.set(channel, new Set([listener]))
    begin()
    join(channel)
  }
  return () => {
    const left = listeners.get(channel)
    left?.delete(listener)
    if (left?.size !== 0) return
    listeners.delete(channel)
    joined.delete(channel)
    if (socket?.connected) socket.emit('unsubscribe', { channel })
  }
}

/**
 * Joins every channel again: changed permissions can open some channels, and the server has removed this tab
 * from those that are no longer allowed.
 */
export function joinAgain(): void {
  for (const channel of listeners.keys()) join(channel)
}

/** Registers a callback for each reconnect, after which missed events have to be fetched. */
export function onReconnect(handler: () => void): () => void {
  reconnected.add(handler)
  return () => reconnected.delete(handler)
}

async function open(isClosed: () => boolean): Promise<void> {
  const [{ io }, { live_port, live_url }] = await Promise.all([import('socket.io-client'), config()])
  if (isClosed() || !viewer()) return
  const here = Number(location.port || (location.protocol === 'https:' ? 443 : 80))
  const address =
    live_url ??
    (live_port === here ? location.origin : `${location.protocol}//${location.hostname}:${live_port}`)
  let tokenShown = accessToken()
  const opened = io(address, {
    transports: ['websocket', 'polling'],
    // Read on every connect, because signing in again without leaving the page issues a new token.
    auth: (answer) => {
      tokenShown = accessToken()
      answer({ token: tokenShown })
    },
  })
  socket = opened
  // A rejected or closed connection is not retried automatically; once the user has signed in again without
  // leaving the page, there is a new token to send.
  stopWatching = subscribe(() => {
    if (!opened.connected && accessToken() !== tokenShown && viewer()) opened.connect()
  })
  opened.on('disconnect', () => {
    for (const channel of joined) tellJoined(channel, false)
    joined.clear()
  })
  opened.on('connect', () => {
    joinAgain()
    if (wasConnected) for (const handler of reconnected) handler()
    wasConnected = true
  })
  opened.onAny((event: string, ...parts: unknown[]) => deliver(event, parts))
}

/**
 * Dispatches an event. If the server names the channel, the name is the first argument; otherwise the payload
 * says what the event is about.
 */
function deliver(event: string, parts: readonly unknown[]): void {
  const [first, second] = parts
  const named = typeof first === 'string' ? first : undefined
  const payload = named === undefined ? first : second
  for (const [channel, ofChannel] of listeners) {
    if (named !== undefined && named !== channel) continue
    for (const listener of [...ofChannel]) if (listener.event === event) listener.handler(payload ?? {})
  }
}

/**
 * Joins a channel by sending the session token, which the server uses to check the permissions; a signature
 * from `/api/broadcasting/auth` would require a request for each channel. If the server rejects the join, the
 * viewer is not allowed to listen to this channel, and the page shows what it can without it.
 */
function join(channel: string): void {
  const asked = socket
  const id = socketId()
  const token = accessToken()
  if (!asked || id === undefined || token === undefined) return
  asked.emit(
    'subscribe',
    { channel, auth: { headers: { Authorization: `Bearer ${token}` } } },
    (answered?: { joined?: boolean; ms_since_last?: number }) => {
      // Ignore the response if the connection is gone or the channel is no longer needed.
      if (answered?.joined !== true || asked.id !== id || !listeners.has(channel) || joined.has(channel))
        return
      joined.add(channel)
      tellJoined(channel, true, answered.ms_since_last)
    },
  )
}

function tellJoined(channel: string, isJoined: boolean, msSinceLast?: number): void {
  for (const listener of listeners.get(channel) ?? []) listener.onJoined?.(isJoined, msSinceLast)
}
