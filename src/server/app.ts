import type pg from 'pg'
import type { EndpointShape } from '#shared/endpoint.ts'
import type { InstallationFile } from '#server/files/installation.ts'
import type * as context from '#server/http/context.ts'
import type { Addresses } from '#server/http/server.ts'
import type { Inbox } from '#server/inbound/inbox.ts'
import type { MailboxReader } from '#server/inbound/mailboxes.ts'
import type { Outbox } from '#server/mail/outbox.ts'
import type { PublicFetchOptions } from '#server/public-fetch.ts'
import type { RecordKinds } from '#server/record/kinds.ts'
import type { OptionLists } from '#server/record/option-lists.ts'

/** Services available to the routes of every feature. */
export interface App extends context.HttpServices {
  pool: pg.Pool
  addresses: Addresses
  installation: InstallationFile
  mail: Outbox
  inbox: Inbox
  mailboxes: MailboxReader
  records: RecordKinds
  optionLists: OptionLists
  /** Exceptions for outgoing requests that tests can set. */
  outside: PublicFetchOptions
}

export type WriteContext<E extends EndpointShape> = context.WriteContext<E, App>
/** The function that handles an endpoint's requests. */
export type Handler<E extends EndpointShape, Prepared = undefined> = context.Handler<E, App, Prepared>
/** The slow work before an endpoint's transaction; its result is the handler's `prepared`. */
export type Preparation<E extends EndpointShape, Prepared> = context.Preparation<E, App, Prepared>
