import { permissionOf, type Reply } from '#shared/endpoint.ts'
import { mostReads, reads } from '#shared/reads.contract.ts'
import { queryOptionsFor, request, type ReadEndpoint } from '#web/api/client.ts'
import { toQueryString } from '#web/api/query-string.ts'
import type { AnyInput, InputArgument } from '#web/api/types.ts'
import { viewer } from '#web/session.ts'

/*
 * A page with many parts sends its reads in one request (docs/decisions/025-reads-in-one-request.md). Each part
 * has the reply of its own call, which it sends alone if nothing else is read at the moment, or if it fails.
 */

interface Waiting {
  endpoint: ReadEndpoint
  input: Partial<AnyInput>
  /** Called with the reply; without one, the call is sent alone. */
  settle: (reply?: { body: unknown }) => void
}
let waiting: Waiting[] = []

/** Sends a request together with others of the same moment. */
export async function requestTogether<E extends ReadEndpoint>(
  endpoint: E,
  ...[input, options]: [...InputArgument<E>, options?: { signal: AbortSignal }]
): Promise<Reply<E>> {
  const reply = await new Promise<{ body: unknown } | undefined>((settle) => {
    if (waiting.length === 0) queueMicrotask(sendWaiting)
    waiting.push({ endpoint, input: (input ?? {}) as Partial<AnyInput>, settle })
  })
  return reply ? (reply.body as Reply<E>) : request(endpoint, ...([input, options] as never))
}

/** Like `queryOptionsFor`, for a query that is sent together with others of the same moment. */
export function queryTogether<E extends ReadEndpoint>(endpoint: E, ...input: InputArgument<E>) {
  return {
    ...queryOptionsFor(endpoint, ...input),
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      requestTogether(endpoint, ...([input[0], { signal }] as never)),
  }
}

function sendWaiting(): void {
  const all = waiting
  waiting = []
  for (let first = 0; first < all.length; first += mostReads) void send(all.slice(first, first + mostReads))
}

async function send(parts: readonly Waiting[]): Promise<void> {
  const body = { reads: parts.map(readOf) }
  const answer = parts.length > 1 ? await request(reads.together, { body }).catch(() => undefined) : undefined
  for (const [index, { settle }] of parts.entries()) {
    const reply = answer?.replies[index]
    settle(reply?.status === 200 ? reply : undefined)
  }
}

function readOf({ endpoint, input: { params = {}, query = {}, body } }: Waiting) {
  return {
    path: endpoint.path,
    query: toQueryString(query),
    body: endpoint.method === 'POST' ? ((body ?? {}) as Record<string, unknown>) : undefined,
    permission: permissionOf(endpoint.access, viewer(), { params, query, body: body ?? {} }),
  }
}
