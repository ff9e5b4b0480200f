import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Router from 'find-my-way'
import { changesSomething, type Method } from '#shared/endpoint.ts'
import { assertAccess, assertStillAllowed, authorize, findCaller, isDecided } from '#server/http/access.ts'
import type { HttpServices, Implemented } from '#server/http/context.ts'
import { HttpError, notSignedIn } from '#server/http/errors.ts'
import { parse } from '#server/http/parse.ts'
import { checkProducts } from '#server/http/product-scope.ts'
import { missingFileErrors, receiveForm, throwIfRefused, type ReceivedForm } from '#server/http/receive.ts'
import { checked, policyOf, sendText, textOf } from '#server/http/reply.ts'
import { longestParameter } from '#server/http/server.ts'
import { write } from '#server/http/write.ts'
import { cleanLargeHtml } from '#server/html/html-clean-large.ts'

/** Returns the methods of an address, such as `GET, POST`; undefined if it has none. */
export type AllowedMethods = (address: string) => string | undefined

/**
 * Registers the routes of all implemented endpoints, including the method override. Other methods of their paths get
 * no routes, which would nearly double the time of a start; the handler of unknown addresses calls the returned
 * function for a 405. Only a path that one with parameters covers (`/tasks/save` and `/tasks/{id}`) has routes for them.
 */
export function serve(app: HttpServices): AllowedMethods {
  const byPath = new Map<string, Map<Method, Implemented>>()
  for (const one of app.implemented) {
    for (const path of [one.endpoint.path, ...(one.endpoint.alsoAt ?? [])]) {
      const methods = byPath.get(path) ?? new Map<Method, Implemented>()
      if (methods.has(one.endpoint.method))
        throw new Error(`${one.endpoint.method} ${path} is implemented twice`)
      byPath.set(path, methods.set(one.endpoint.method, one))
    }
  }
  const covering = Map.groupBy(
    [...byPath.keys()].filter((path) => path.includes('{')).map((path) => path.split('/')),
    ({ length }) => length,
  )
  const allowedByUrl = new Map<string, string>()
  for (const [path, methods] of byPath) {
    const url = `/api${path.replace(/\{(\w+)\}/g, ':$1')}`
    const overridable = (['PUT', 'PATCH', 'DELETE'] as const).filter((method) => methods.has(method))
    const bodyLimit = Math.max(...[...methods.values()].map(({ endpoint }) => endpoint.maxBytes ?? 1_000_000))
    const allowed = [...methods.keys(), ...(overridable.length ? (['POST'] as const) : [])].join(', ')
    for (const [method, one] of methods) {
      if (method === 'POST' && overridable.length) continue
      app.http.route({
        method,
        url,
        bodyLimit,
        config: one.endpoint.answers ? { answers: one.endpoint.answers } : {},
        // Don't expose HEAD for endpoints that change data, because it would run the handler.
        exposeHeadRoute: !changesSomething(one.endpoint),
        onRequest: (request) => authorize(app, one, request),
        handler: (request, reply) => answer(app, one, request, reply),
      })
    }
    if (overridable.length) serveOverride(app, url, bodyLimit, methods, allowed)
    const segments = path.split('/')
    if (covering.get(segments.length)?.some((one) => covers(one, segments)))
      refuseOthers(app.http, url, methods, allowed)
    allowedByUrl.set(url, allowed)
  }
  return findAllowed(allowedByUrl)
}

/** Returns whether another path, with parameters, takes the requests of a path of the same length. */
const covers = (one: readonly string[], path: readonly string[]): boolean =>
  one.some((segment, index) => segment !== path[index]) &&
  one.every((segment, index) => segment.startsWith('{') || segment === path[index])

/** Responds with 405 to the remaining methods of a path. */
function refuseOthers(
  http: FastifyInstance,
  url: string,
  methods: ReadonlyMap<Method, Implemented>,
  allowed: string,
): void {
  const get = methods.get('GET')
  const refused = (['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).filter(
    (method) => !allowed.split(', ').includes(method),
  )
  const head = !get || changesSomething(get.endpoint) ? (['HEAD'] as const) : []
  http.route({
    method: [...refused, ...head],
    url,
    exposeHeadRoute: false,
    handler: (_request, reply) => refuseMethod(reply, allowed),
  })
}

/** Returns a function that finds the methods of an address. Its routes are made when they are first needed. */
function findAllowed(allowedByUrl: ReadonlyMap<string, string>): AllowedMethods {
  let router: Router.Instance<Router.HTTPVersion.V1> | undefined
  return (address) => {
    if (!router) {
      router = Router({ maxParamLength: longestParameter })
      for (const [url, allowed] of allowedByUrl) router.on('GET', url, () => {}, allowed)
    }
    return router.find('GET', address)?.store as string | undefined
  }
}

export function refuseMethod(reply: FastifyReply, allowed: string): never {
  void reply.header('Allow', allowed)
  throw new HttpError(405, `This method isn’t allowed. Allowed methods: ${allowed}.`)
}

/**
 * Handles a POST that stands for PUT, PATCH, or DELETE. `_method` is in the query, in the JSON or form body,
 * or in a multipart field before the first file.
 */
function serveOverride(
  app: HttpServices,
  url: string,
  bodyLimit: number,
  methods: Map<Method, Implemented>,
  allowed: string,
): void {
  const choose = (method: unknown, reply: FastifyReply): Implemented => {
    const wanted = typeof method === 'string' ? method.toUpperCase() : 'POST'
    const one = wanted === 'GET' ? undefined : methods.get(wanted as Method)
    return one ?? refuseMethod(reply, allowed)
  }
  app.http.route({
    method: 'POST',
    url,
    bodyLimit,
    onRequest: async (request) => {
      await findCaller(app, request)
      if (!request.viewer) throw notSignedIn()
    },
    handler: async (request, reply) => {
      const query = request.query as Record<string, unknown>
      const body = request.body as Record<string, unknown> | undefined
      if (!request.isMultipart()) {
        const one = choose(query['_method'] ?? body?.['_method'], reply)
        assertAccess(one.endpoint, request.viewer)
        return answer(app, one, request, reply)
      }
      const rules = [...methods.values()].find(({ endpoint }) => endpoint.files)?.endpoint.files
      const decide = (fields: Record<string, unknown>) => {
        const one = choose(query['_method'] ?? fields['_method'], reply)
        assertAccess(one.endpoint, request.viewer)
        return one
      }
      const form = await receiveForm(app.files, request, rules ?? {}, decide)
      return answer(app, decide(form.fields), request, reply, form)
    },
  })
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
  const input = parse(endpoint, { params: request.params, query: request.query, body, text })
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
