import compress from '@fastify/compress'
import multipart from '@fastify/multipart'
import fastify, { LogController, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { randomUUID } from 'node:crypto'
import { maxHeaderSize } from 'node:http'
import { pino } from 'pino'
import { constants } from 'node:zlib'
import { logAnswers } from '#server/http/answer-log.ts'
import { isOwnOrigin, loopbackHosts } from '#server/http/origin.ts'
import { html } from '#server/html/html.ts'
import { pageType, policyOfPage, renderPage } from '#server/http/page.ts'
import { asHttpError, HttpError } from '#server/http/errors.ts'
import type { Settings } from '#server/settings/settings.ts'
import { tracing } from '#server/tracing/tracing.ts'

/** The panel's addresses, known once it is listening. */
export interface Addresses {
  publicUrl: string
  /** Port that browsers connect to, on the page's host. */
  livePort: number
  /** If set, browsers connect to this address instead. */
  liveUrl?: string | undefined
  /** Origins that pages can embed in a frame, such as a scheduling widget. */
  frames?: readonly string[]
}

/**
 * Headers sent in addition to the content security policy, which is specific to each page
 * (docs/decisions/006-what-a-request-costs.md).
 */
export const securityHeaders = [
  ['X-Content-Type-Options', 'nosniff'],
  ['Referrer-Policy', 'no-referrer'],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
] as const

/** Content security policy for a response that is not a page. */
export const denyAllCsp = "default-src 'none'; frame-ancestors 'none'"

/** Route of all endpoints, which find their address themselves (server/http/routes.ts). */
export const everyAddress = '/api/*'

/** Longest parameter in a path, in characters. */
export const longestParameter = 200

/** Values that pino never logs. */
const redacted = [
  'req.headers.authorization',
  'req.headers.cookie',
  'authorization',
  'password',
  'oldPassword',
  'newPassword',
  'token',
  'err.password',
  'err.token',
]

/**
 * Creates the HTTP server without any endpoints, but with limits, security headers, origin checks,
 * compression, request IDs, JSON logs, and a single format for all errors.
 */
export async function openHttp(settings: Settings, addresses: Addresses): Promise<FastifyInstance> {
  const http = fastify({
    logger: { level: settings.logLevel, redact: { paths: redacted, censor: '•••' }, stream: logStream() },
    // Use a single logger for all requests. Creating one per request costs more than the logging itself, and
    // the lines already identify the request.
    childLoggerFactory: (logger) => logger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: proxies(settings.trustProxy),
    bodyLimit: 1_000_000,
    requestTimeout: settings.requestSeconds * 1000,
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 5_000 },
    routerOptions: {
      // The rest of an address is a single parameter here.
      maxParamLength: maxHeaderSize,
      ignoreTrailingSlash: false,
      querystringParser: (text) => Object.fromEntries(parseQuery(text)),
    },
    genReqId: () => randomUUID(),
    return503OnClosing: true,
    // Requests whose URL cannot be decoded don't reach any hook.
    frameworkErrors: (error, request, reply) => {
      secure(request, reply)
      fail(error, request, reply)
    },
    forceCloseConnections: 'idle',
  })
  http.server.maxConnections = settings.mostConnections
  http.decorateRequest('viewer', undefined)
  http.decorateRequest('hasSlowBody', false)

  await http.register(compress, {
    globalDecompression: false,
    threshold: 1024,
    encodings: ['br', 'gzip'],
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
  })
  await http.register(multipart, { throwFileSizeLimit: true })
  addFormParser(http)
  addJsonParser(http)

  http.decorateRequest('traceId', undefined)
  tracing()?.traceRequests(http)
  let policy: string | undefined
  let framed: readonly string[] | undefined
  const secure = (request: FastifyRequest, reply: FastifyReply) => {
    if (framed !== addresses.frames) policy = undefined
    framed = addresses.frames
    policy ??= contentSecurityPolicy(addresses)
    if (isApi(request))
      void reply.header('Cache-Control', 'no-store').header('Content-Security-Policy', denyAllCsp)
    else void reply.header('Content-Security-Policy', policy)
    void reply.header('X-Request-Id', request.id)
    for (const [name, value] of securityHeaders) void reply.header(name, value)
  }
  http.addHook('onRequest', (request, reply, done) => {
    // Some proxies send the port too. It differs for every connection, so it would make every one a new client.
    const forwarded = request.raw.headers['x-forwarded-for']
    if (forwarded)
      request.raw.headers['x-forwarded-for'] = String(forwarded).replaceAll(portOfAddress, '$1$2')
    // Runs before any rejection, so that rejected requests get these headers too.
    secure(request, reply)
    if (isApi(request) && !answersPage(request)) rejectCrossOrigin(request, addresses)
    done()
  })
  logAnswers(http, isApi, settings.auditLog)
  http.setErrorHandler((error, request, reply) => fail(error, request, reply))
  return http
}

/**
 * Returns whether a request matched an API route, regardless of how its URL is written: `/%61pi/` and an
 * absolute URL match the same routes.
 */
const isApi = ({ routeOptions, url }: FastifyRequest) => (routeOptions.url ?? url).startsWith('/api/')

/** Returns whether the endpoint of a request answers with a page, also if the request fails. */
const answersPage = ({ address }: FastifyRequest) => address?.endpoint?.endpoint.answers === 'html'

/**
 * Returns the URL of a request's endpoint with the names of its parameters; undefined if there is none, so that
 * there are never more than the API has.
 */
export function urlOf({ address, routeOptions: { url } }: FastifyRequest): string | undefined {
  if (address) return address.endpoint || address.isOverride ? address.url : undefined
  return url === everyAddress ? undefined : url
}

let log: ReturnType<typeof pino.destination> | undefined

/**
 * Buffers 4 kB of log lines, which are flushed every second and when the process ends. Writing each line
 * separately would take longer than running a list page's SQL queries. All servers of a process share it,
 * because its timer never ends.
 */
const logStream = () =>
  (log ??= pino.destination({ dest: 1, sync: false, minLength: 4096, periodicFlush: 1000 }))

/** An address with a port, or an IPv6 address in brackets; the groups contain the address. */
const portOfAddress = /(?<![^\s,])(?:([\d.]+):\d+|\[([\da-f:.]+)\](?::\d+)?)(?![^\s,])/gi

/** Converts the trusted proxies, given as a count or as addresses, to the format that Fastify expects. */
const proxies = (trusted: Settings['trustProxy']) =>
  typeof trusted === 'number' ? (_address: string, hop: number) => hop < trusted : trusted

/** Parses a query string into a map of names to values; a repeated name has a list of values. */
export function parseQuery(text: string): Map<string, string | string[]> {
  const names = new Map<string, string | string[]>()
  if (!text) return names
  for (const [name, value] of new URLSearchParams(text)) {
    const held = names.get(name)
    names.set(name, held === undefined ? value : Array.isArray(held) ? [...held, value] : [held, value])
  }
  return names
}

function addFormParser(http: FastifyInstance): void {
  http.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => {
      const fields: Record<string, unknown> = Object.create(null)
      for (const [name, value] of parseQuery(String(body)))
        fields[name.replace(/\[\]$/, '')] = name.endsWith('[]') && !Array.isArray(value) ? [value] : value
      done(null, fields)
    },
  )
}

/** Parses JSON bodies; an empty body, such as the one sent on logout, counts as no body. */
function addJsonParser(http: FastifyInstance): void {
  const parse = http.getDefaultJsonParser('error', 'error')
  http.removeContentTypeParser(['application/json', 'text/plain'])
  http.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = String(body)
    if (text === '') done(null, undefined)
    else if (isTooDeep(text))
      done(new HttpError(400, `The request body can be nested up to ${deepestJson} levels deep.`))
    else void parse(request, text, done)
  })
}

const deepestJson = 64

/**
 * Returns whether JSON is nested too deeply, based on its text alone. Parsing, comparing, and hashing it
 * would recurse just as deeply.
 */
function isTooDeep(text: string): boolean {
  let depth = 0
  let isText = false
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at)
    if (isText) {
      if (sign === 0x5c) at += 1
      else if (sign === 0x22) isText = false
    } else if (sign === 0x22) isText = true
    else if (sign === 0x5b || sign === 0x7b) {
      depth += 1
      if (depth > deepestJson) return true
    } else if (sign === 0x5d || sign === 0x7d) depth -= 1
  }
  return false
}

/** Rejects API calls from other sites' pages, and prefetches, which must not change anything. */
function rejectCrossOrigin(request: FastifyRequest, addresses: Addresses): void {
  const { headers } = request
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    throw new HttpError(403, 'Requests from other sites aren’t allowed.')
  if (!isOwnOrigin(addresses.publicUrl, headers.origin))
    throw new HttpError(403, 'Requests from other sites aren’t allowed.')
  if (headers['purpose'] === 'prefetch' || headers['sec-purpose']?.includes('prefetch'))
    throw new HttpError(403, 'This URL can’t be prefetched.')
}

function contentSecurityPolicy({ publicUrl, livePort, liveUrl, frames = [] }: Addresses): string {
  const { hostname, protocol } = new URL(publicUrl)
  // A content security policy cannot contain an IPv6 address.
  const hosts = loopbackHosts.includes(hostname) ? ['localhost', '127.0.0.1'] : [hostname]
  const secure = protocol === 'https:' ? 's' : ''
  const addresses =
    liveUrl === undefined ? hosts.map((host) => `http${secure}://${host}:${livePort}`) : [liveUrl]
  const live = addresses.flatMap((address) => [address, address.replace(/^http/, 'ws')])
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "media-src 'self'",
    "font-src 'self'",
    `connect-src 'self' ${live.join(' ')}`,
    ["frame-src 'self'", ...frames].join(' '),
    "base-uri 'none'",
    "form-action 'self'",
    "object-src 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

function fail(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = asHttpError(error)
  const status = known?.status ?? 500
  if (!known)
    request.log.error(
      { err: error, request_id: request.id, path: request.url.split('?', 1)[0] },
      'a request failed',
    )
  else if (status === 503)
    request.log.warn({ err: error, request_id: request.id }, 'a request was not completed')
  if (known?.retryAfter !== undefined) void reply.header('Retry-After', String(known.retryAfter))
  // No code reads the rest of a body that was rejected midway, so the next request on its connection would
  // wait for it.
  if (request.raw.readableDidRead && !request.raw.complete) void reply.header('Connection', 'close')
  if (status === 401) void reply.header('WWW-Authenticate', 'Bearer')
  const message = known?.message ?? 'Something went wrong on our end.'
  void reply.code(status)
  if (answersPage(request)) {
    const page = known?.page ?? { title: 'Error', content: html`<h1>${message}</h1>` }
    return reply.header('Content-Security-Policy', policyOfPage(page)).type(pageType).send(renderPage(page))
  }
  return reply.type('application/json; charset=utf-8').send({
    message,
    ...(known?.errors ? { errors: known.errors } : {}),
    ...(known?.current !== undefined ? { current: known.current } : {}),
    ...(known?.clashes !== undefined ? { clashes: known.clashes } : {}),
    request_id: request.id,
  })
}
