import type { FastifyReply, FastifyRequest } from 'fastify'
import Router from 'find-my-way'
import { changesSomething, type Method } from '#shared/endpoint.ts'
import { assertAccess, assertStillAllowed, authorize, findCaller, isDecided } from '#server/http/access.ts'
import type { HttpServices, Implemented } from '#server/http/context.ts'
import { HttpError, notSignedIn } from '#server/http/errors.ts'
import { parse } from '#server/http/parse.ts'
import { checkProducts } from '#server/http/product-scope.ts'
import { missingFileErrors, receiveForm, throwIfRefused, type ReceivedForm } from '#server/http/receive.ts'
import { checked, policyOf, sendText, textOf } from '#server/http/reply.ts'
import { everyAddress, longestParameter } from '#server/http/server.ts'
import { write } from '#server/http/write.ts'
import { cleanLargeHtml } from '#server/html/html-clean-large.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The address of the API that was requested; undefined if there is none. */
    address: Address | undefined
  }
}

/** Where a request goes: a path of the API, and the endpoint of its method there. */
export interface Address {
  /** As in `/api/admin/general/notes/:a/:b`. */
  url: string
  /** Values of the parameters in the path. */
  params: Readonly<Record<string, string | undefined>>
  /** Undefined if the path has no endpoint for the method, or if the request names another method. */
  endpoint: Implemented | undefined
  /** Whether it is a POST that stands for another method, which its query or body names. */
  isOverride: boolean
  /** The methods of the path, such as `GET, POST`. */
  allowed: string
}

/** The endpoints of a path. */
interface Place {
  methods: ReadonlyMap<Method, Implemented>
  /** Whether a POST stands for another method. */
  isOverridable: boolean
  allowed: string
}

const defaultLimit = 1_000_000
const sendingMethods = ['POST', 'PUT', 'PATCH', 'DELETE'] as const

/**
 * Serves all implemented endpoints, including the method override. They share two routes, and find their address
 * themselves: a route per endpoint took most of the time of a start (docs/decisions/030-listen-when-ready.md).
 * Only a path with a separate limit for bodies needs one.
 */
export function serve(app: HttpServices): void {
  const places = placesOf(app.implemented)
  const router = routerOf([...places.keys()])
  const found = new WeakMap<FastifyRequest, { address: Address | undefined }>()
  // An address is needed before the first hook ends, for traces, and after refusals, for metrics.
  app.http.decorateRequest('address', {
    getter(this: FastifyRequest) {
      let one = found.get(this)
      if (!one) found.set(this, (one = { address: findAddress(router, places, this) }))
      return one.address
    },
  })
  const route = {
    onRequest: (request: FastifyRequest, reply: FastifyReply) => admit(app, request, reply),
    handler: (request: FastifyRequest, reply: FastifyReply) => {
      const { url, endpoint } = request.address!
      return endpoint
        ? answer(app, endpoint, request, reply)
        : answerOverride(app, places.get(url)!, request, reply)
    },
  }
  // Also serves HEAD.
  app.http.route({ ...route, method: 'GET', url: everyAddress })
  app.http.route({ ...route, method: [...sendingMethods], url: everyAddress })
  for (const [url, { methods, isOverridable }] of places) {
    const bodyLimit = Math.max(
      ...[...methods.values()].map(({ endpoint }) => endpoint.maxBytes ?? defaultLimit),
    )
    if (bodyLimit === defaultLimit) continue
    const sending = sendingMethods.filter((one) => methods.has(one) || (one === 'POST' && isOverridable))
    app.http.route({ ...route, method: sending, url, bodyLimit })
  }
}

/** @throws Error if two endpoints have the same method and path. */
function placesOf(implemented: readonly Implemented[]): ReadonlyMap<string, Place> {
  const byUrl = new Map<string, Map<Method, Implemented>>()
  for (const one of implemented) {
    const { method, path, alsoAt = [] } = one.endpoint
    for (const at of [path, ...alsoAt]) {
      const url = `/api${at.replace(/\{(\w+)\}/g, ':$1')}`
      const methods = byUrl.get(url) ?? new Map<Method, Implemented>()
      if (methods.has(method)) throw new Error(`${method} ${at} is implemented twice`)
      byUrl.set(url, methods.set(method, one))
    }
  }
  const places = new Map<string, Place>()
  for (const [url, methods] of byUrl) {
    const isOverridable = (['PUT', 'PATCH', 'DELETE'] as const).some((method) => methods.has(method))
    const allowed = [...methods.keys(), ...(isOverridable ? ['POST'] : [])].join(', ')
    places.set(url, { methods, isOverridable, allowed })
  }
  return places
}

let made: { urls: string; router: Router.Instance<Router.HTTPVersion.V1> } | undefined

/** Returns a router that finds URLs, the same one for the same URLs: a process can start several servers, as in tests. */
function routerOf(urls: readonly string[]): Router.Instance<Router.HTTPVersion.V1> {
  const all = urls.join('\n')
  if (made?.urls !== all) {
    made = { urls: all, router: Router({ maxParamLength: longestParameter, querystringParser: () => ({}) }) }
    for (const url of urls) made.router.on('GET', url, () => {}, url)
  }
  return made.router
}

function findAddress(
  router: Router.Instance<Router.HTTPVersion.V1>,
  places: ReadonlyMap<string, Place>,
  { method, url: requested }: FastifyRequest,
): Address | undefined {
  const found = router.find('GET', requested)
  if (!found) return undefined
  const url = found.store as string
  const { methods, isOverridable, allowed } = places.get(url)!
  const isOverride = isOverridable && method === 'POST'
  const endpoint = isOverride ? undefined : endpointOf(methods, method)
  return { url, params: found.params, endpoint, isOverride, allowed }
}

function endpointOf(methods: Place['methods'], method: string): Implemented | undefined {
  if (method !== 'HEAD') return methods.get(method as Method)
  const read = methods.get('GET')
  // HEAD would run the handler of an endpoint that changes data.
  return read && !changesSomething(read.endpoint) ? read : undefined
}

/** Finds the endpoint, and checks the session and access before any part of the body is read. */
async function admit(app: HttpServices, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { address } = request
  if (!address) throw new HttpError(404, 'Page not found.')
  if (address.endpoint) return authorize(app, address.endpoint, request)
  if (!address.isOverride) refuseMethod(reply, address.allowed)
  await findCaller(app, request)
  if (!request.viewer) throw notSignedIn()
}

export function refuseMethod(reply: FastifyReply, allowed: string): never {
  void reply.header('Allow', allowed)
  throw new HttpError(405, `This method isn’t allowed. Allowed methods: ${allowed}.`)
}

/**
 * Answers a POST that stands for PUT, PATCH, or DELETE. `_method` is in the query, in the JSON or form body,
 * or in a multipart field before the first file.
 */
async function answerOverride(
  app: HttpServices,
  { methods, allowed }: Place,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const query = request.query as Record<string, unknown>
  const choose = (sent: unknown): Implemented => {
    const method = query['_method'] ?? sent
    const wanted = typeof method === 'string' ? method.toUpperCase() : 'POST'
    const one = wanted === 'GET' ? undefined : methods.get(wanted as Method)
    if (!one) refuseMethod(reply, allowed)
    assertAccess(one.endpoint, request.viewer)
    return one
  }
  if (!request.isMultipart()) {
    const body = request.body as Record<string, unknown> | undefined
    return answer(app, choose(body?.['_method']), request, reply)
  }
  const rules = [...methods.values()].find(({ endpoint }) => endpoint.files)?.endpoint.files
  const decide = (fields: Record<string, unknown>) => choose(fields['_method'])
  const form = await receiveForm(app.files, request, rules ?? {}, decide)
  return answer(app, decide(form.fields), request, reply, form)
}

async function answer(
  app: HttpServices,
  one: Implemented,
  request: FastifyRequest,
  reply: FastifyReply,
  form?: ReceivedForm,
): Promise<unknown> {
  if (one.endpoint.security) request.security = one.endpoint.act ?? one.endpoint.summary
  const read = request.isMultipart()
    ? (form ?? (await receiveForm(app.files, request, one.endpoint.files ?? {})))
    : undefined
  try {
    return await answerForm(app, one, request, reply, read)
  } finally {
    await read?.discard()
  }
}

async function answerForm(
  app: HttpServices,
  one: Implemented,
  request: FastifyRequest,
  reply: FastifyReply,
  form: ReceivedForm | undefined,
): Promise<unknown> {
  const { endpoint } = one
  const body: unknown = form ? form.fields : request.body
  const files =
    form?.files ?? Object.fromEntries(Object.keys(endpoint.files ?? {}).map((field) => [field, []]))
  const refusedFiles = form?.refused ?? missingFileErrors(endpoint.files)
  const text = changesSomething(endpoint) ? undefined : request.url.slice(request.url.indexOf('?') + 1)
  const input = parse(endpoint, { params: request.address!.params, query: request.query, body, text })
  if (isDecided(endpoint.access)) assertAccess(endpoint, request.viewer, input)
  checkProducts(endpoint, request.viewer, input)
  if (!endpoint.keepGoodFiles) throwIfRefused(refusedFiles)
  await cleanLargeHtml(input.body)
  const common = { app, viewer: request.viewer, clock: app.clock, files, refusedFiles, request, reply }
  const prepared = await one.prepare?.(input, { ...common, db: app.db })
  await assertStillAllowed(app, one, request, input)
  const context = { ...common, viewer: request.viewer, prepared }
  if (changesSomething(endpoint)) return write(app, one, input, context)
  const result = await one.handler(input, { ...context, db: app.db })
  if (endpoint.answers) return sendText(endpoint, reply, textOf(endpoint, result), policyOf(endpoint, result))
  return checked(app, endpoint, result)
}
