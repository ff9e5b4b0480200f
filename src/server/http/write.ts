import type { FastifyRequest } from 'fastify'
import type { Transaction } from 'kysely'
import pg from 'pg'
import { nameOfEndpoint, type EndpointShape, type Input } from '#shared/endpoint.ts'
import { changedHeader, everything, inLists, isLive, type ChangedName } from '#shared/changed.ts'
import { isRecordType, liveNameOf } from '#shared/records.ts'
import { nameRequest } from '#server/db/db.ts'
import type { Database } from '#server/db/tables.ts'
import { isDecided } from '#server/http/access.ts'
import { changedFields, writeAudit, type Change } from '#server/http/audit.ts'
import type { Common, HttpServices, Implemented } from '#server/http/context.ts'
import { claimKey, keepAnswer, type Answered } from '#server/http/idempotency.ts'
import { fingerprintOf, type ReceivedForm } from '#server/http/receive.ts'
import { checked, policyOf, sendText, textOf } from '#server/http/reply.ts'
import { bearerToken, type SignedIn } from '#server/http/session.ts'

/** The audit rows, events, and rollback actions that a handler requests, and the operation’s actor. */
interface Asked {
  changes: Change[]
  /** Names of what changed, for the reply. */
  changed: Set<string>
  /** Run after the commit. */
  events: (() => void)[]
  rollbackActions: (() => void)[]
  actor: number | null
}

/** Returns the part of a write's context that collects what its handler asks for. */
const writing = (
  app: HttpServices,
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
    if (!change.before || !change.after || Object.keys(changedFields(change.before, change.after)).length) {
      asked.changes.push(change)
      asked.changed.add(changedName(change.target))
    }
  },
  changed: (type: ChangedName, ids: readonly number[], left?: readonly number[]) => {
    asked.changed.add(type)
    if (isLive(type))
      asked.events.push(() =>
        app.live.changed(type, ids, asked.actor, headerText(request.headers['x-socket-id']), left),
      )
  },
  enqueue: (queue: string, data: object) => app.jobs.send(db, queue, data),
  afterCommit: (action: () => void) => asked.events.push(action),
  onRollback: (action: () => void) => asked.rollbackActions.push(action),
  actAs: (staff_id: number) => {
    asked.actor = staff_id
  },
})

/**
 * Runs the handler of an endpoint that changes something, in a transaction that holds the change, its audit row, its
 * jobs, and the idempotency key; then sends the live events and the response.
 */
export async function write(
  app: HttpServices,
  { endpoint, handler }: Implemented,
  input: Input,
  common: Omit<Common<EndpointShape, HttpServices>, 'viewer' | 'files'> & {
    prepared: unknown
    viewer: SignedIn | undefined
    files: ReceivedForm['files']
  },
): Promise<unknown> {
  const { viewer, files, request, reply } = common
  const name = nameOfEndpoint(endpoint)
  const key = viewer ? headerText(request.headers['idempotency-key']) : undefined
  const asked: Asked = {
    changes: [],
    changed: new Set(),
    events: [],
    rollbackActions: [],
    actor: viewer?.id ?? null,
  }
  let committing = false
  let hasRun = false
  let policy = policyOf(endpoint, {})
  const inTransaction = async (db: Transaction<Database>): Promise<Answered> => {
    await nameRequest(db, request.id)
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
    hasRun = true
    const context = { ...common, ...writing(app, endpoint, input, request, db, asked) }
    const result = checked(app, endpoint, await handler(input, context))
    policy = policyOf(endpoint, result)
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
  request.audited = { act: endpoint.act ?? endpoint.summary, records: namesOf(asked.changes) }
  // The change is committed, so a failed live event must not make it look rejected.
  for (const event of asked.events) event()
  const changed = hasRun
    ? [...asked.changed].map((name) => (isInTrash(asked, name) ? inLists(name) : name)).join()
    : everything
  if (changed) void reply.header(changedHeader, changed)
  void reply.code(answered.status)
  if (answered.status === 204) return reply.send()
  return sendText(endpoint, reply, answered.reply, policy)
}

/** Returns the name of what changed for a change that is audited with this target. */
const changedName = (target: string): string => (isRecordType(target) ? liveNameOf(target) : target)

/** Returns whether all changes of records with this name moved them to the trash. */
function isInTrash({ changes }: Asked, name: string): boolean {
  const its = changes.filter(({ target }) => changedName(target) === name)
  return its.length > 0 && its.every(({ after = {} }) => 'in_trash' in after && after.in_trash === true)
}

/** Returns the changed records, such as `lead 4`; of a bulk change, the first ones. */
const namesOf = (changes: readonly Change[]) =>
  changes.slice(0, mostNames).map(({ target, id }) => `${target} ${id}`)
const mostNames = 100

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

/** Returns the input with long strings truncated; no access rule depends on them. */
const withoutLongTexts = (input: Input): Input =>
  JSON.parse(
    JSON.stringify(input, (_key, value: unknown) =>
      typeof value === 'string' ? value.slice(0, 200) : value,
    ),
  ) as Input
