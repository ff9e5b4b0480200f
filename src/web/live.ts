import { useEffect, useEffectEvent } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import type { Socket } from 'socket.io-client'
import type { EndpointShape } from '#shared/endpoint.ts'
import type { LiveName } from '#shared/records.ts'
import { config } from '#web/config.ts'
import { accessToken, subscribe, viewer } from '#web/session.ts'

/*
 * The live connection: opened after the sign-in, with the session's token; each channel is authorised on its own
 * (docs/product.md#live-refresh). Everything works without it; lists just do not refresh by themselves.
 */

type Handler = (payload: any) => void
interface Listener {
  event: string
  handler: Handler
  /** Called when events of the channel begin to arrive, and when they stop. */
  onJoined?: ((isJoined: boolean) => void) | undefined
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

/** Returns the value of X-Socket-ID, by which the server leaves this tab out of events that it caused. */
export const socketId = (): string | undefined => (socket?.connected ? socket.id : undefined)

/** Opens the connection of the viewer; returns a function that closes it. */
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

/** Opens the connection if one is requested and none is being opened; code that failed to load is retried the next time it is needed. */
function begin(): void {
  if (opening || !isGivenUp) return
  const attempt = open(isGivenUp).catch(() => {
    if (opening === attempt) opening = undefined
  })
  opening = attempt
}

/**
 * Listens to an event of a channel until the returned function is called.
 * @param onJoined called when nothing is missed from now on, and when that ends; events in between have to be fetched
 */
export function listen(
  channel: string,
  event: string,
  handler: Handler,
  onJoined?: (isJoined: boolean) => void,
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

/** Joins every channel again: changed rights can open some, and the server has left those that are no longer allowed. */
export function joinAgain(): void {
  for (const channel of listeners.keys()) join(channel)
}

/** Registers a callback for each reconnect, after which missed events have to be fetched. */
export function onReconnect(handler: () => void): () => void {
  reconnected.add(handler)
  return () => reconnected.delete(handler)
}

const refreshDelayMs = 150

/**
 * Refetches the queries of these endpoints when a record of this type changes: `useChanged('leads', [leads.list])`.
 * Without endpoints it does not listen: callers pass none if the viewer may not listen and would be refused.
 */
export function useChanged(
  type: LiveName | undefined,
  endpoints: readonly Pick<EndpointShape, 'path'>[],
  onChanged?: (ids: readonly number[]) => void,
): void {
  const queries = useQueryClient()
  const refresh = useEffectEvent(() => {
    for (const { path } of endpoints) void queries.invalidateQueries({ queryKey: [path] })
  })
  const isWanted = type !== undefined && endpoints.length > 0
  const tell = useEffectEvent((ids: readonly number[]) => onChanged?.(ids))

  useEffect(() => {
    if (!isWanted) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const refreshSoon = () => {
      clearTimeout(timer)
      timer = setTimeout(() => refresh(), refreshDelayMs)
    }
    const stopListening = listen(
      `private-records.${type}`,
      'changed',
      (payload: { type?: string; ids?: number[] }) => {
        if (payload.type !== undefined && payload.type !== type) return
        tell(payload.ids ?? [])
        refreshSoon()
      },
    )
    const stopReconnects = onReconnect(refreshSoon)
    return () => {
      clearTimeout(timer)
      stopListening()
      stopReconnects()
    }
  }, [type, isWanted])
}

async function open(isClosed: () => boolean): Promise<void> {
  const [{ io }, { live_port }] = await Promise.all([import('socket.io-client'), config()])
  if (isClosed() || !viewer()) return
  const here = Number(location.port || (location.protocol === 'https:' ? 443 : 80))
  const address =
    live_port === here ? location.origin : `${location.protocol}//${location.hostname}:${live_port}`
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
  // A refused or ended connection is not retried by itself; after signing in again in place there is another token to send.
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

/** Dispatches an event. If the server names its channel, that is the first argument; otherwise the payload says what it is about. */
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
 * Joins a channel with the session's token, and the server checks the rights: a signature from `/api/broadcasting/auth` would cost
 * a request each. If refused, the viewer may not hear this channel, and the page shows what they can see without it.
 */
function join(channel: string): void {
  const asked = socket
  const id = socketId()
  const token = accessToken()
  if (!asked || id === undefined || token === undefined) return
  asked.emit(
    'subscribe',
    { channel, auth: { headers: { Authorization: `Bearer ${token}` } } },
    (answered?: { joined?: boolean }) => {
      // The answer is void if the connection is gone or the channel no longer wanted.
      if (answered?.joined !== true || asked.id !== id || !listeners.has(channel) || joined.has(channel))
        return
      joined.add(channel)
      tellJoined(channel, true)
    },
  )
}

function tellJoined(channel: string, isJoined: boolean): void {
  for (const listener of listeners.get(channel) ?? []) listener.onJoined?.(isJoined)
}
