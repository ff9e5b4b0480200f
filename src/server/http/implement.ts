import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Kysely, Transaction } from 'kysely'
import pg from 'pg'
import {
  allows,
  changesSomething,
  type EndpointShape,
  type Input,
  type Method,
  type ParsedInput,
  type Reply,
} from '#shared/endpoint.ts'
import type { LiveName } from '#shared/records.ts'
import { isZone } from '#shared/zones.ts'
import { z } from 'zod'
import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/db/tables.ts'
import { changedFields, writeAudit, type Change } from '#server/http/audit.ts'
import {
  HttpError,
  invalidInput,
  notAllowed,
  notFound,
  notSignedIn,
  type FieldErrors,
} from '#server/http/errors.ts'
import { claimKey, keepAnswer, type Answered } from '#server/http/idempotency.ts'
import { demandInboundSecret } from '#server/http/inbound-secret.ts'
import type { Throttle } from '#server/http/throttle.ts'
import { pagePolicy, pageType, renderPage, type HtmlPage } from '#server/http/page.ts'
import { bearerToken, type Sessions, type SignedIn } from '#server/http/session.ts'
import { checkProducts, assertProductsDeclared } from '#server/http/product-scope.ts'
import {
  throwIfRefused,
  fingerprintOf,
  missingFileErrors,
  receiveForm,
  type FilesOf,
  type ReceivedForm,
} from '#server/http/receive.ts'
import type { Addresses } from '#server/http/server.ts'
import type { Files } from '#server/files/files.ts'
import { cleanLargeHtml } from '#server/html/html-clean-large.ts'
import type { InstallationFile } from '#server/files/installation.ts'
import type { Inbox } from '#server/inbound/inbox.ts'
import type { MailboxReader } from '#server/inbound/mailboxes.ts'
import type { Jobs } from '#server/jobs/jobs.ts'
import type { OptionLists } from '#server/record/option-lists.ts'
import type { PublicFetchOptions } from '#server/public-fetch.ts'
import type { Live } from '#server/live/live.ts'
import type { Outbox } from '#server/mail/outbox.ts'
import { assertFieldsExist } from '#server/record/declared-fields.ts'
import type { Called } from '#server/record/rows.ts'
import type { RecordKinds } from '#server/record/records.routes.ts'
import type { Settings } from '#server/settings.ts'

/** Services available to the routes of every feature. */
export interface App {
  http: FastifyInstance
  db: Kysely<Database>
  pool: pg.Pool
  clock: Clock
  settings: Settings
  addresses: Addresses
  sessions: Sessions
  live: Live
  jobs: Jobs
  files: Files
  installation: InstallationFile
  mail: Outbox
  inbox: Inbox
  mailboxes: MailboxReader
  /** Counts failed gateway secrets per IP address. */
  wrongSecrets: Throttle
  records: RecordKinds
  optionLists: OptionLists
  /** Exceptions for outgoing requests that tests can set. */
  outside: PublicFetchOptions
  /** Whether responses are validated against their contracts, as in tests and development. */
  checkReplies: boolean
  implemented: Implemented[]
}

interface Common<E extends EndpointShape> {
  viewer: E['access'] extends 'public' ? SignedIn | undefined : SignedIn
  clock: Clock
  /** Received files by field; they are removed unless `attachFiles` (server/files/record-files.ts) keeps them. */
  files: { [Field in keyof NonNullable<E['files']>]: FilesOf<NonNullable<E['files']>[Field]> }
  /** Reasons why files were rejected, if the endpoint keeps the valid ones. */
  refusedFiles: FieldErrors
  request: FastifyRequest
  reply: FastifyReply
}

export interface ReadContext<E extends EndpointShape> extends Common<E> {
  db: Kysely<Database>
}

export interface WriteContext<E extends EndpointShape> extends Common<E> {
  /** The call as stored with operations, so that undo and redo check the same access. */
  called: Called
  /**
   * A single transaction: the change, its audit row, its jobs, and the idempotency key commit or roll back
   * together.
   */
  db: Transaction<Database>
  /** Adds a record's change to the audit log; a change without any difference is omitted. */
  audit: (change: Change) => void
  /** After the commit, refreshes lists of this record type in every browser that can see them. */
  changed: (type: LiveName, ids: readonly number[], left?: readonly number[]) => void
  /** Sends a job that runs after the commit. */
  enqueue: (queue: string, data: object) => Promise<void>
  afterCommit: (action: () => void) => void
  /**
   * Registers an action that undoes what a rollback cannot, such as a stored file. The action is not called
   * if only the response to the commit is missing, because the commit may have succeeded.
   */
  onRollback: (action: () => void) => void
  /** Attributes the operation to an admin user when no one is signed in yet. */
  actAs: (staff_id: number) => void
}

type IsWrite<E extends EndpointShape> = E extends { writes: true }
  ? true
  : E['method'] extends 'GET'
    ? false
    : E extends { reads: true }
      ? false
      : true
export type Context<E extends EndpointShape> = IsWrite<E> extends true ? WriteContext<E> : ReadContext<E>
/** The function that handles an endpoint's requests. */
export type Handler<E extends EndpointShape, Prepared = undefined> = (
  input: ParsedInput<E>,
  context: Context<E> & { prepared: Prepared },
) => Promise<E['answers'] extends 'html' ? HtmlPage : E['response'] extends z.ZodType ? Reply<E> : unknown>

/** The slow work before an endpoint's transaction; its result is the handler's `prepared`. */
export type Preparation<E extends EndpointShape, Prepared> = (
  input: ParsedInput<E>,
  context: ReadContext<E>,
) => Promise<Prepared>

export interface Implemented {
  endpoint: EndpointShape
  prepare: ((input: any, context: any) => Promise<unknown>) | undefined
  handler: (input: any, context: any) => Promise<unknown>
}

/**
 * Registers an endpoint's handler. The platform handles the session, access, parsing, the transaction,
 * auditing, idempotency, and live events, in this order: session → access → parse → access again if the body was
 * slow → handler → response.
 */
export function implement<E extends EndpointShape>(app: App, endpoint: E, handler: Handler<E>): void {
  assertProductsDeclared(endpoint)
  app.implemented.push({ endpoint, handler, prepare: undefined })
}

/**
 * Like `implement`, but for endpoints with slow work, such as hashing or image processing, that must not hold
 * a transaction open. The handler receives the result as `prepared`.
 */
export function implementPrepared<E extends EndpointShape, Prepared>(
  app: App,
  endpoint: E,
  prepare: Preparation<E, Prepared>,
  handler: Handler<E, Prepared>,
): void {
  assertProductsDeclared(endpoint)
  app.implemented.push({ endpoint, handler, prepare })
}

/**
 * Registers the routes of all implemented endpoints, including the method override, and responds with 405 to
 * all other methods.
 */
export function serve(app: App): void {
  const byPath = new Map<string, Map<Method, Implemented>>()
  const kinds = app.records.all()
  for (const one of app.implemented) {
    assertFieldsExist(one.endpoint, kinds)
    for (const path of [one.endpoint.path, ...(one.endpoint.alsoAt ?? [])]) {
      const methods = byPath.get(path) ?? new Map<Method, Implemented>()
      if (methods.has(one.endpoint.method))
        throw new Error(`${one.endpoint.method} ${path} is implemented twice`)
      byPath.set(path, methods.set(one.endpoint.method, one))
    }
  }
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
    const get = methods.get('GET')
    const refused = (['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).filter(
      (method) => !methods.has(method) && !(method === 'POST' && overridable.length),
    )
    const head = !get || changesSomething(get.endpoint) ? (['HEAD'] as const) : []
    // A single route for all of these methods, because each route adds 0.1 ms to startup time.
    app.http.route({
      method: [...refused, ...head],
      url,
      exposeHeadRoute: false,
      handler: (_request, reply) => refuseMethod(reply, allowed),
    })
  }
}

function refuseMethod(reply: FastifyReply, allowed: string): never {
  void reply.header('Allow', allowed)
  throw new HttpError(405, `This method isn’t allowed. Allowed methods: ${allowed}.`)
}

/**
 * Handles a POST that stands for PUT, PATCH, or DELETE. `_method` is in the query, in the JSON or form body,
 * or in a multipart field before the first file.
 */
function serveOverride(
  app: App,
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

declare module 'fastify' {
  interface FastifyRequest {
    viewer: SignedIn | undefined
    /** Whether the body was still arriving when the caller was found. */
    hasSlowBody: boolean
  }
  interface FastifyContextConfig {
    answers?: EndpointShape['answers']
  }
}

/** Checks the session and access before any part of the body is read. */
async function authorize(app: App, { endpoint }: Implemented, request: FastifyRequest): Promise<void> {
  if (endpoint.inboundSecret)
    await demandInboundSecret(
      app.settings.inboundSecret,
      request,
      app.settings.rateLimits ? app.wrongSecrets : undefined,
    )
  if (endpoint.access === 'public') return
  await findCaller(app, request)
  assertAccess(endpoint, request.viewer)
}

async function findViewer(
  app: App,
  { headers }: FastifyRequest,
  options?: { isUse: boolean },
): Promise<SignedIn | undefined> {
  const found = await app.sessions.find(bearerToken(headers.authorization), options)
  const zone = headers['x-time-zone']
  return found && typeof zone === 'string' && isZone(zone) ? { ...found, zone } : found
}

/** Finds the caller, who must be known before the body is read. */
async function findCaller(app: App, request: FastifyRequest): Promise<void> {
  request.viewer = await findViewer(app, request)
  request.hasSlowBody = !request.raw.complete
}

/**
 * Checks the session and access again, because they may have ended while the body was arriving, which can take
 * a minute, or during slow preparations.
 */
async function assertStillAllowed(
  app: App,
  { endpoint, prepare }: Implemented,
  request: FastifyRequest,
  input: Input,
): Promise<void> {
  if (!request.viewer || !(request.hasSlowBody || prepare)) return
  request.viewer = await findViewer(app, request, { isUse: false })
  assertAccess(endpoint, request.viewer, input)
  checkProducts(endpoint, request.viewer, input)
}

/** Returns an endpoint's name, as stored in the audit log and with operations. */
export const nameOfEndpoint = ({ method, path }: EndpointShape): string => `${method} ${path}`

/** Returns the input with long strings truncated; no access rule depends on them. */
const withoutLongTexts = (input: Input): Input =>
  JSON.parse(
    JSON.stringify(input, (_key, value: unknown) =>
      typeof value === 'string' ? value.slice(0, 200) : value,
    ),
  ) as Input

const nothing: Input = { params: {}, query: {}, body: {} }
const isDecided = (access: EndpointShape['access']) => typeof access === 'object' && 'allows' in access

function assertAccess(endpoint: EndpointShape, viewer: SignedIn | undefined, input?: Input): void {
  if (endpoint.access === 'public') return
  if (!viewer) throw notSignedIn()
  // Access that depends on the input is decided after parsing.
  if (!input && isDecided(endpoint.access)) return
  if (!allows(endpoint.access, viewer, input ?? nothing)) throw notAllowed()
}

async function answer(
  app: App,
  one: Implemented,
  request: FastifyRequest,
  reply: FastifyReply,
  form?: ReceivedForm,
): Promise<unknown> {
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
  app: App,
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
  const common = { viewer: request.viewer, clock: app.clock, files, refusedFiles, request, reply }
  const prepared = await one.prepare?.(input, { ...common, db: app.db })
  await assertStillAllowed(app, one, request, input)
  const context = { ...common, viewer: request.viewer, prepared }
  if (changesSomething(endpoint)) return write(app, one, input, context)
  const result = await one.handler(input, { ...context, db: app.db })
  if (endpoint.answers) return sendText(endpoint, reply, textOf(endpoint, result))
  return checked(app, endpoint, result)
}

/** Returns a response as the text that is sent, and stored for a repeated request. */
const textOf = ({ answers }: EndpointShape, result: unknown): string =>
  answers ? renderPage(result as HtmlPage) : result === undefined ? '' : JSON.stringify(result)

function sendText({ answers }: EndpointShape, reply: FastifyReply, text: string): FastifyReply {
  if (answers) void reply.header('Content-Security-Policy', pagePolicy)
  return reply.type(answers ? pageType : 'application/json; charset=utf-8').send(text)
}

/**
 * Parses the input.
 * @throws HttpError 404 if the path parameters are invalid, 422 with messages by field for the rest.
 */
function parse(endpoint: EndpointShape, sent: Input & { text?: string | undefined }): Input {
  const input: Input = { params: {}, query: {}, body: {} }
  if (endpoint.params) {
    const parsed = endpoint.params.safeParse(sent.params)
    if (!parsed.success) throw notFound('This page doesn’t exist.')
    input.params = parsed.data
  }
  const issues: z.core.$ZodIssue[] = []
  const query =
    sent.text === undefined
      ? parseQuery(endpoint, sent.query as Record<string, unknown>)
      : parseQueryCached(endpoint, sent.text, sent.query as Record<string, unknown>)
  if ('issues' in query) issues.push(...query.issues)
  else input.query = query.data
  if (endpoint.body) {
    const parsed = endpoint.body.safeParse(sent.body ?? {})
    if (parsed.success) input.body = parsed.data
    else issues.push(...parsed.error.issues)
  }
  if (issues.length) throw invalidInput(issues)
  return input
}

const mostKept = 300
const kept = new WeakMap<EndpointShape, Map<string, ParsedQuery>>()

/**
 * Caches parsed queries, because many clients send the same one, especially when a list refreshes in every
 * open tab. Results are frozen, so they are safe to share.
 */
function parseQueryCached(endpoint: EndpointShape, text: string, sent: Record<string, unknown>): ParsedQuery {
  let texts = kept.get(endpoint)
  if (!texts || texts.size > mostKept) kept.set(endpoint, (texts = new Map()))
  let parsed = texts.get(text)
  if (!parsed) {
    parsed = parseQuery(endpoint, sent)
    if ('data' in parsed) texts.set(text, { data: Object.freeze(parsed.data) })
  }
  return parsed
}

type ParsedQuery = { data: unknown } | { issues: z.core.$ZodIssue[] }

function parseQuery(endpoint: EndpointShape, sent: Record<string, unknown>): ParsedQuery {
  const known: Record<string, z.ZodType> = endpoint.query instanceof z.ZodObject ? endpoint.query.shape : {}
  const query = plainQuery(sent, known)
  const issues: z.core.$ZodIssue[] = Object.keys(query)
    .filter((name) => !Object.hasOwn(known, name))
    .map((name) => ({ code: 'custom', path: [name], message: 'Unknown parameter.', input: undefined }))
  const parsed = endpoint.query?.safeParse(query)
  if (parsed && !parsed.success) issues.push(...parsed.error.issues)
  return issues.length ? { issues } : { data: parsed?.data ?? {} }
}

/**
 * Normalizes a query. `ids[]=1&ids[]=2` and `ids=1&ids=2` become the same list; an empty value becomes null
 * if null is valid, and is omitted otherwise; `_method` is removed.
 */
function plainQuery(
  sent: Record<string, unknown>,
  known: Record<string, z.ZodType>,
): Record<string, unknown> {
  const query: Record<string, unknown> = Object.create(null) as Record<string, unknown>
  for (const name of Object.keys(sent)) {
    const value = sent[name]
    if (name === '_method') continue
    if (value === '') {
      if (Object.hasOwn(known, name) && known[name]!.safeParse(null).success) query[name] = null
    } else if (name.endsWith('[]')) query[name.slice(0, -2)] = Array.isArray(value) ? value : [value]
    else query[name] = value
  }
  return query
}

/** The audit rows, events, and rollback actions that a handler requests, and the operation’s actor. */
interface Asked {
  changes: Change[]
  /** Run after the commit. */
  events: (() => void)[]
  rollbackActions: (() => void)[]
  actor: number | null
}

/** Returns the part of a write's context that collects what its handler asks for. */
const writing = (
  app: App,
  endpoint: EndpointShape,
  input: Input,
  request: FastifyRequest,
  db: Transaction<Database>,
  asked: Asked,
) => ({
  db,
  called: {
    endpoint: nameOfEndpoint(endpoint),
    input: isDecided(endpoint.access) ? withoutLongTexts(input) : null,
  },
  audit: (change: Change) => {
    if (!change.before || !change.after || Object.keys(changedFields(change.before, change.after)).length)
      asked.changes.push(change)
  },
  changed: (type: LiveName, ids: readonly number[], left?: readonly number[]) =>
    asked.events.push(() =>
      app.live.changed(type, ids, asked.actor, headerText(request.headers['x-socket-id']), left),
    ),
  enqueue: (queue: string, data: object) => app.jobs.send(db, queue, data),
  afterCommit: (action: () => void) => asked.events.push(action),
  onRollback: (action: () => void) => asked.rollbackActions.push(action),
  actAs: (staff_id: number) => {
    asked.actor = staff_id
  },
})

async function write(
  app: App,
  { endpoint, handler }: Implemented,
  input: Input,
  common: Omit<Common<EndpointShape>, 'viewer' | 'files'> & {
    prepared: unknown
    viewer: SignedIn | undefined
    files: ReceivedForm['files']
  },
): Promise<unknown> {
  const { viewer, files, request, reply } = common
  const name = nameOfEndpoint(endpoint)
  const key = viewer ? headerText(request.headers['idempotency-key']) : undefined
  const asked: Asked = { changes: [], events: [], rollbackActions: [], actor: viewer?.id ?? null }
  let committing = false
  const inTransaction = async (db: Transaction<Database>): Promise<Answered> => {
    const before =
      key === undefined
        ? undefined
        : await claimKey(
            db,
            viewer!.id,
            key,
            name,
            [input, Object.keys(files).length ? fingerprintOf(files) : undefined],
            bearerToken(request.headers.authorization)!,
          )
    if (before) return before
    const context = { ...common, ...writing(app, endpoint, input, request, db, asked) }
    const result = checked(app, endpoint, await handler(input, context))
    const answer = {
      status: result === undefined ? 204 : 200,
      reply: textOf(endpoint, result),
    }
    await writeAudit(
      db,
      {
        staff_id: asked.actor,
        endpoint: name,
        act: endpoint.act ?? '',
        address: request.ip,
        request_id: request.id,
      },
      asked.changes,
    )
    if (key !== undefined) await keepAnswer(db, viewer!.id, key, withoutSecrets(endpoint, answer, result))
    committing = true
    return answer
  }
  const answered = await app.db
    .transaction()
    .execute(inTransaction)
    .catch((error: unknown) => {
      if (!committing || isRefused(error)) for (const amend of asked.rollbackActions) amend()
      throw error
    })
  // The change is committed, so a failed live event must not make it look rejected.
  for (const event of asked.events) event()
  void reply.code(answered.status)
  if (answered.status === 204) return reply.send()
  return sendText(endpoint, reply, answered.reply)
}

/** Returns the response as it is stored: fields that are shown only once are null. */
const withoutSecrets = ({ shownOnce }: EndpointShape, answer: Answered, result: unknown): Answered =>
  shownOnce
    ? {
        ...answer,
        reply: JSON.stringify({
          ...(result as object),
          ...Object.fromEntries(shownOnce.map((name) => [name, null])),
        }),
      }
    : answer

/**
 * Returns whether PostgreSQL rejected the transaction, so that none of it was saved. Without a response from
 * PostgreSQL, the transaction may have committed.
 */
const isRefused = (error: unknown) => error instanceof pg.DatabaseError && error.severity === 'ERROR'

const headerText = (value: string | string[] | undefined) => (Array.isArray(value) ? value.join() : value)

function checked(app: App, endpoint: EndpointShape, result: unknown): unknown {
  return app.checkReplies && endpoint.response ? endpoint.response.parse(result) : result
}
