import { useRef, useState } from 'react'
import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { everything } from '#shared/changed.ts'
import type { EndpointShape, Reply } from '#shared/endpoint.ts'
import { requestUntyped, isAllowed, keyOf } from '#web/api/client.ts'
import { ApiError, NotPermitted, errorMessageOf } from '#web/api/errors.ts'
import { holdRefetches, refetchShowing } from '#web/api/refetch.ts'
import type { InputArgument, RequestInput } from '#web/api/types.ts'
import { useViewer } from '#web/session.ts'
import { toast } from '#web/message/toast.ts'

interface SendOptions<E extends EndpointShape> {
  /**
   * Shows the change before the server has responded; the returned function reverts it if the request fails.
   * See `patchCachedReplies`.
   */
  optimisticUpdate?: (input: RequestInput<E>, queries: QueryClient) => () => void
  onDone?: (reply: Reply<E>, input: RequestInput<E>) => void
  /**
   * `toast` (the default) shows the server's message; `throw` leaves error handling to the caller, as forms
   * require.
   */
  failure?: 'toast' | 'throw'
}

export interface Send<E extends EndpointShape> {
  /**
   * Resolves to the response, or to undefined if the viewer lacks the permission (no request is sent) or a
   * failure was shown as a toast.
   */
  send: (...input: InputArgument<E>) => Promise<Reply<E> | undefined>
  sending: boolean
}

/**
 * Returns a function that sends a write: `const { send, sending } = useSend(leads.create)`. What shows the changed
 * records is refetched by the reply (shared/changed.ts).
 */
export function useSend<E extends EndpointShape>(endpoint: E, options: SendOptions<E> = {}): Send<E> {
  const queries = useQueryClient()
  const [running, setRunning] = useState(0)
  const lastKey = useRef<{ input: string; key: string } | undefined>(undefined)

  async function send(...[given]: InputArgument<E>): Promise<Reply<E> | undefined> {
    const input = (given ?? {}) as RequestInput<E>
    if (!isAllowed(endpoint, input)) {
      // A form would treat undefined as success and drop the user's input.
      if (options.failure === 'throw') throw new NotPermitted()
      return undefined
    }
    const idempotencyKey = keyFor(input, lastKey)
    setRunning((count) => count + 1)
    const putBack = options.optimisticUpdate?.(input, queries)
    const sent = requestUntyped(endpoint, input, { idempotencyKey })
    if (putBack) holdRefetches(queries, sent)
    try {
      const reply = (await sent) as Reply<E>
      lastKey.current = undefined
      options.onDone?.(reply, input)
      return reply
    } catch (error) {
      putBack?.()
      if (putBack || isStale(error)) refetchShowing(queries, [everything])
      if (hasAnswer(error)) lastKey.current = undefined
      if (options.failure === 'throw') throw error
      toast.failure(errorMessageOf(error))
      return undefined
    } finally {
      setRunning((count) => count - 1)
    }
  }

  return { send, sending: running > 0 }
}

/**
 * Returns whether the viewer is currently allowed to make this request; buttons update when permissions
 * change.
 */
export function useMay<E extends EndpointShape>(endpoint: E, input?: RequestInput<E>): boolean {
  // Passed as an argument, because React Compiler would cache a viewer that is read inside `isAllowed`, and
  // buttons would remain after a permission is revoked.
  return isAllowed(endpoint, input, useViewer())
}

/** Updates all cached responses of an endpoint; the returned function reverts the update. */
export function patchCachedReplies<E extends EndpointShape>(
  queries: QueryClient,
  endpoint: E,
  change: (reply: Reply<E>) => Reply<E>,
): () => void {
  const before = queries.getQueriesData<Reply<E>>({ queryKey: keyOf(endpoint) })
  void queries.cancelQueries({ queryKey: keyOf(endpoint) })
  queries.setQueriesData<Reply<E>>({ queryKey: keyOf(endpoint) }, (reply) =>
    reply === undefined ? reply : change(reply),
  )
  return () => {
    for (const [key, reply] of before) queries.setQueryData(key, reply)
  }
}

/** Returns whether a failure suggests that the page shows old data: others have changed it, or the change may be made. */
const isStale = (error: unknown) => error instanceof ApiError && [0, 404, 409].includes(error.status)

const hasAnswer = (error: unknown) => !(error instanceof ApiError) || error.status !== 0

/**
 * Returns the idempotency key for an input. If there was no response, it is unknown whether the change was
 * made; sending the same input again reuses the key, so that the server applies it only once.
 */
function keyFor(input: unknown, last: { current: { input: string; key: string } | undefined }): string {
  const text = JSON.stringify(input, (_name, value: unknown) =>
    value instanceof File ? [value.name, value.size, value.lastModified] : value,
  )
  if (last.current?.input !== text) last.current = { input: text, key: crypto.randomUUID() }
  return last.current.key
}
