import {
  allows,
  changesSomething,
  permissionOf,
  type EndpointShape,
  type Reply,
  type Viewer,
} from '#shared/endpoint.ts'
import { changedHeader } from '#shared/changed.ts'
import { errorOf, noAnswer } from '#web/api/errors.ts'
import { toQueryString } from '#web/api/query-string.ts'
import { refetchedBy } from '#web/api/refetch.ts'
import { reauthenticate } from '#web/api/session-lost.ts'
import type { AnyInput, InputArgument } from '#web/api/types.ts'
import { socketId } from '#web/live.ts'
import { openOrganization } from '#web/organization.ts'
import { accessToken, viewer } from '#web/session.ts'
import { browserTimeZone } from '#web/time.ts'

/**
 * An endpoint that only reads. A GET marked `writes` must be sent with `useSend` instead, so that it is never
 * retried or prefetched.
 */
export type ReadEndpoint = EndpointShape &
  ({ method: 'GET'; writes?: undefined } | { method: 'POST'; reads: true })

/**
 * The part of an endpoint that a request needs; lets a page that must stay small send requests without
 * loading the contract's schemas.
 */
export type Callable = Pick<EndpointShape, 'method' | 'path' | 'access' | 'writes'>

interface Options {
  signal?: AbortSignal
  /** Unique per send; reused when the same send is repeated. */
  idempotencyKey?: string
  /** Treats a 401 like any other response, as for login and logout. */
  outsideSession?: boolean
}

/**
 * Sends a request and returns the response, typed by the contract; the browser does not validate it again.
 */
export async function request<E extends EndpointShape>(
  endpoint: E,
  ...[input, options]: [...InputArgument<E>, options?: Options]
): Promise<Reply<E>> {
  return (await requestUntyped(endpoint, input, options)) as Reply<E>
}

/** Sends a request whose response is a file, such as an image or a CSV file. */
export async function requestFile<E extends EndpointShape>(
  endpoint: E,
  ...[input, options]: [...InputArgument<E>, options?: Options]
): Promise<Blob> {
  return (await send(endpoint, (input ?? {}) as AnyInput, options ?? {})).blob()
}

/**
 * Returns the TanStack Query options for reading an endpoint: `useQuery(queryOptionsFor(leads.list, { query:
 * filters }))`.
 */
export function queryOptionsFor<E extends ReadEndpoint>(endpoint: E, ...[input]: InputArgument<E>) {
  return {
    queryKey: [endpoint.path, (input ?? {}) as AnyInput] as const,
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      requestUntyped(endpoint, input, { signal }) as Promise<Reply<E>>,
    // A function, so that permission changes take effect at the next check while the page is open.
    enabled: () => isAllowed(endpoint, input),
    meta: refetchedBy(endpoint, input),
  }
}

/** Returns the key prefix shared by all queries of an endpoint. */
export const keyOf = (endpoint: Pick<EndpointShape, 'path'>) => [endpoint.path] as const

/**
 * Returns whether a user, by default the viewer, is allowed to make this request. Without permission, no
 * request is sent and no message is shown (A §5).
 */
export function isAllowed(
  endpoint: Pick<EndpointShape, 'access'>,
  input: unknown,
  person: Viewer | undefined = viewer(),
): boolean {
  const { params, query, body } = (input ?? {}) as AnyInput
  return allows(endpoint.access, person, { params: params ?? {}, query: query ?? {}, body: body ?? {} })
}

/** Sends a request whose endpoint and input types are not known statically. */
export async function requestUntyped(
  endpoint: Callable,
  input: unknown,
  options: Options = {},
): Promise<unknown> {
  const response = await send(endpoint, input ?? {}, options)
  return response.status === 204 ? undefined : response.json()
}

async function send(endpoint: Callable, input: AnyInput, options: Options): Promise<Response> {
  const idempotencyKey =
    options.idempotencyKey ?? (changesSomething(endpoint) ? crypto.randomUUID() : undefined)
  const attempt = () => fetchOnce(endpoint, input, { ...options, idempotencyKey })

  const token = accessToken()
  let response = await attempt()
  if (response.status === 401 && endpoint.access !== 'public' && !options.outsideSession) {
    // Another request's 401 may have led to a new sign-in while this one was in flight.
    const cured = accessToken() !== token && accessToken() !== undefined
    if (cured || (await reauthenticate())) response = await attempt()
  }
  if (!response.ok) throw await errorOf(response)
  if (changesSomething(endpoint)) noteChanges(response.headers.get(changedHeader))
  return response
}

let refetchChanged: (names: readonly string[]) => void = () => {}
/** Registers what refetches the queries that show what a write has changed. */
export function onWritten(refetch: typeof refetchChanged): void {
  refetchChanged = refetch
}

/** Refetches what shows the changes of a write, from the header of its reply. */
export function noteChanges(header: string | null): void {
  if (header) refetchChanged(header.split(','))
}

/** Returns the headers sent with every request, except for the content type. */
export function headersOf(
  endpoint: Pick<EndpointShape, 'access'>,
  { params = {}, query = {}, body = {} }: AnyInput,
  idempotencyKey?: string,
): Headers {
  const headers = new Headers({
    Accept: 'application/json',
    'X-Organization': openOrganization(),
    'X-Time-Zone': browserTimeZone(),
  })
  const token = accessToken()
  if (token) headers.set('Authorization', `Bearer ${token}`)
  const permission = permissionOf(endpoint.access, viewer(), { params, query, body })
  if (permission) headers.set('X-Permission', permission)
  const socket = socketId()
  if (socket) headers.set('X-Socket-ID', socket)
  if (idempotencyKey) headers.set('Idempotency-Key', idempotencyKey)
  return headers
}

async function fetchOnce(
  endpoint: Callable,
  input: AnyInput,
  { signal, idempotencyKey }: Options,
): Promise<Response> {
  const headers = headersOf(endpoint, input, idempotencyKey)
  const body = bodyOf(endpoint, input)
  if (typeof body === 'string') headers.set('Content-Type', 'application/json')

  const query = toQueryString(input.query ?? {})
  const address = `/api${fillIn(endpoint.path, input.params ?? {})}${query ? `?${query}` : ''}`
  try {
    return await fetch(address, {
      method: endpoint.method,
      headers,
      credentials: 'omit',
      ...(body === undefined ? {} : { body }),
      ...(signal ? { signal } : {}),
      ...(changesSomething(endpoint) ? { cache: 'no-store' as const, keepalive: outlivesPage(body) } : {}),
    })
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw noAnswer()
  }
}

/**
 * Returns whether a request can outlive its page: browsers limit the combined body size of all such requests
 * in flight to 64 kB, and reject requests that exceed it.
 */
const outlivesPage = (body: FormData | string | undefined) =>
  body === undefined || (typeof body === 'string' && body.length < 4000)

function bodyOf(endpoint: Callable, { body, file }: AnyInput): FormData | string | undefined {
  if (endpoint.method === 'GET') return undefined
  if (!file) return body === undefined ? undefined : JSON.stringify(body)
  const form = new FormData()
  // Fields come before the file, because the server checks access before it reads a file.
  for (const [name, value] of Object.entries(body ?? {}))
    if (value !== undefined) form.append(name, value === null ? '' : String(value))
  form.append('file', file, file instanceof File ? file.name : undefined)
  return form
}

/** Replaces the placeholders in a path with parameters. */
function fillIn(path: string, params: Record<string, unknown>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
}
