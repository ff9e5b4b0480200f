import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Kysely, Transaction } from 'kysely'
import type { z } from 'zod'
import type { EndpointShape, Input, ParsedInput, Reply } from '#shared/endpoint.ts'
import type { ChangedName } from '#shared/changed.ts'
import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/db/tables.ts'
import type { Files } from '#server/files/files.ts'
import type { Change } from '#server/http/audit.ts'
import type { FieldErrors } from '#server/http/errors.ts'
import type { HtmlPage } from '#server/http/page.ts'
import type { FilesOf } from '#server/http/receive.ts'
import type { Sessions, SignedIn } from '#server/http/session.ts'
import type { Throttle } from '#server/http/throttle.ts'
import type { Jobs } from '#server/jobs/jobs.ts'
import type { Live } from '#server/live/live.ts'
import type { Settings } from '#server/settings/settings.ts'

/** The services that answering a request needs; server/app.ts has those of the whole panel. */
export interface HttpServices {
  http: FastifyInstance
  db: Kysely<Database>
  clock: Clock
  settings: Settings
  sessions: Sessions
  live: Live
  jobs: Jobs
  files: Files
  /** Counts failed gateway secrets per IP address. */
  wrongSecrets: Throttle
  /** Whether responses are validated against their contracts, as in tests and development. */
  checkReplies: boolean
  implemented: Implemented[]
}

/**
 * The endpoint that a request called, and its input if access depends on it. Undo and redo check access to
 * this endpoint again.
 */
export interface Called {
  endpoint: string
  input: Input | null
}

export interface Common<E extends EndpointShape, A> {
  /** The services of the panel. */
  app: A
  viewer: E['access'] extends 'public' ? SignedIn | undefined : SignedIn
  clock: Clock
  /** Received files by field; they are removed unless `attachFiles` (server/files/record-files.ts) keeps them. */
  files: { [Field in keyof NonNullable<E['files']>]: FilesOf<NonNullable<E['files']>[Field]> }
  /** Reasons why files were rejected, if the endpoint keeps the valid ones. */
  refusedFiles: FieldErrors
  request: FastifyRequest
  reply: FastifyReply
}

export interface ReadContext<E extends EndpointShape, A> extends Common<E, A> {
  db: Kysely<Database>
}

export interface WriteContext<E extends EndpointShape, A> extends Common<E, A> {
  /** The call as stored with operations, so that undo and redo check the same access. */
  called: Called
  /**
   * A single transaction: the change, its audit row, its jobs, and the idempotency key commit or roll back
   * together.
   */
  db: Transaction<Database>
  /** Adds a record's change to the audit log; a change without any difference is omitted. */
  audit: (change: Change) => void
  /** After the commit, refreshes what shows records of this type: by the reply in this tab, by a live event elsewhere. */
  changed: (type: ChangedName, ids: readonly number[], left?: readonly number[]) => void
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
type Context<E extends EndpointShape, A> = IsWrite<E> extends true ? WriteContext<E, A> : ReadContext<E, A>
/** The function that handles an endpoint's requests. */
export type Handler<E extends EndpointShape, A, Prepared = undefined> = (
  input: ParsedInput<E>,
  context: Context<E, A> & { prepared: Prepared },
) => Promise<E['answers'] extends 'html' ? HtmlPage : E['response'] extends z.ZodType ? Reply<E> : unknown>

/** The slow work before an endpoint's transaction; its result is the handler's `prepared`. */
export type Preparation<E extends EndpointShape, A, Prepared> = (
  input: ParsedInput<E>,
  context: ReadContext<E, A>,
) => Promise<Prepared>

export interface Implemented {
  endpoint: EndpointShape
  prepare: ((input: any, context: any) => Promise<unknown>) | undefined
  handler: (input: any, context: any) => Promise<unknown>
}
