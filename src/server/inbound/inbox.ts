import { sql, type Transaction } from 'kysely'
import type { RepliedType } from '#shared/records.ts'
import type { Database, Db } from '#server/db/db.ts'
import type { Change } from '#server/http/audit.ts'
import type { App } from '#server/app.ts'
import type { SignedIn } from '#server/http/session.ts'
import { keepReport } from '#server/inbound/bounces.ts'
import type { ParsedEmail } from '#server/inbound/email.ts'
import { keepFiles, showFilesInText, type SavedFiles } from '#server/inbound/files-of-email.ts'
import { findOtherRecipients } from '#server/inbound/other-recipients.ts'
import { findPlace, type FoundPlace } from '#server/inbound/place.ts'
import { tellAboutEmail } from '#server/inbound/tell.ts'
import { wordsOfEmail } from '#server/inbound/words-of-email.ts'
import { proofOfSender, type SenderProof } from '#server/inbound/sender.ts'
import type { ReceivedFile } from '#server/files/inspect-file.ts'
import { liveName, type RecordKind, type Writing } from '#server/record/rows.ts'

/** The part of a write's context that receiving an email needs. */
export interface Receiving {
  db: Transaction<Database>
  /** The admin user who files an email; undefined while it arrives. */
  viewer: SignedIn | undefined
  audit: (change: Change) => void
  changed: Writing['changed']
  afterCommit: (action: () => void) => void
  onRollback: (action: () => void) => void
}

/** An email as it is added to a record. */
export interface FiledEmail {
  id: number
  message_id: string
  from_name: string
  from_address: string
  subject: string
  /** When it arrived; a person can file it much later. */
  received_at: string
  text: string
  /** HTML for a message: the sender's own if `is_foreign` is set. */
  content: string
  is_foreign: boolean
  file_ids: number[]
  /** Reasons why parts of it are missing. */
  problems: string[]
  /** Whether its sender is banned, so that it must not call for attention. */
  banned: boolean
  /** Product of the record that is created, if the user chose one. */
  product_id?: number | undefined
  /** The customer user who wrote it, if a person said so; by default, the one with its address. */
  user_id?: number | undefined
}

/** A feature's handling of the emails on its records. */
export interface Place {
  /** SQL over `r` for the admin user who gets a notice about an email that doesn't answer an email from the panel. */
  assignee?: string
  /** Returns whether a sender belongs to a record, besides the people of its kind and those it was sent to. */
  belongs?: (db: Db, id: number, address: string) => Promise<boolean>
  /** Adds an email to a record that shows it in a separate form, such as a message of a ticket; returns that message's ID. */
  add?: (context: Receiving, id: number, email: FiledEmail) => Promise<number>
  /** Creates a record from an email and returns its ID; the email is then added to it. */
  create?: (context: Receiving, email: FiledEmail) => Promise<number>
  /** Removes an email from its record again. */
  takeBack?: (context: Receiving, id: number, message_id: number) => Promise<void>
}

/** Finds the record to which an email that answers nothing belongs, by its sender; `create` makes a new one. */
export type SenderFinder = (
  db: Db,
  address: string,
) => Promise<{ type: RepliedType; id: number | 'create' } | undefined>

/** What becomes of an email that belongs to no record. */
export interface Arrival {
  /** Type of the record that is created; by default, the email waits to be sorted. */
  unknownBecomes?: RepliedType | undefined
  mailbox_id?: number | undefined
  /** Files that were received separately from the text. */
  files?: readonly ReceivedFile[]
}

export interface Received {
  id: number
  isNew: boolean
  state: string
  record: { type: string; id: number } | null
}

/** Receives emails: each Message-ID once, on the record that it belongs to. */
export class Inbox {
  readonly #places = new Map<RepliedType, Place>()
  readonly #finders: SenderFinder[] = []
  /** Returns whether a sender is banned; set by the feature of users. */
  isBanned: (db: Db, address: string) => Promise<boolean> = async () => false
  /** Returns why an email of an unknown sender is spam, if it is; set by the feature of tickets. */
  findSpamReason: (db: Db, email: ParsedEmail) => Promise<string | undefined> = async () => undefined

  /** Returns why emails of a sender are spam that answer nothing; set by the feature of emails. */
  findBlock: (db: Db, address: string) => Promise<string | undefined> = async () => undefined

  registerPlace(type: RepliedType, place: Place): void {
    this.#places.set(type, place)
  }

  /** Registers a finder; those registered first are asked first. */
  registerSender(find: SenderFinder): void {
    this.#finders.push(find)
  }

  placeOf = (type: string): Place => this.#places.get(type as RepliedType) ?? {}

  async findBySender(db: Db, address: string) {
    for (const find of this.#finders) {
      const found = await find(db, address)
      if (found) return found
    }
    return undefined
  }
}

/** Saves an email that arrived, in the transaction of the caller, and files it; one that was received before changes nothing. */
export async function acceptEmail(
  app: App,
  context: Receiving,
  email: ParsedEmail,
  arrival: Arrival = {},
): Promise<Received> {
  const { db } = context
  // Serializes concurrent deliveries of the same email.
  await sql`select pg_advisory_xact_lock(hashtextextended(${email.message_id}, 13))`.execute(db)
  const before = await findReceived(db, email.message_id)
  if (before) return before
  const sorted = await sort(app, db, email, arrival)
  const { id, received_at } = await insertEmail(app, db, email, sorted, arrival)
  const saved = await keepFiles(app, context, [...email.files, ...(arrival.files ?? [])])
  const problems = [...email.problems, ...saved.problems]
  await db.updateTable('received_mails').set({ problems }).where('id', '=', id).execute()
  if (email.report) await keepReport(app, context, email.report, sorted.mail_id)
  const record = await settle(app, context, { id, received_at, email, sorted, saved })
  context.changed('received-mails', [id])
  return { id, isNew: true, state: sorted.state, record }
}

async function findReceived(db: Db, message_id: string): Promise<Received | undefined> {
  const row = await db
    .selectFrom('received_mails')
    .select(['id', 'state', 'record_type', 'record_id'])
    .where('message_id', '=', message_id)
    .executeTakeFirst()
  if (!row) return undefined
  const record = row.record_type === null ? null : { type: row.record_type, id: row.record_id! }
  return { id: row.id, isNew: false, state: row.state, record }
}

interface Sorted {
  kind: ParsedEmail['kind']
  state: 'unsorted' | 'filed' | 'banned' | 'spam' | 'automatic'
  spam_reason?: string
  place: FoundPlace | undefined
  /** The email that it answers or reports about. */
  mail_id: number | null
  verified_by: SenderProof | 'token' | null
}

/** Decides what an email is and where it belongs. */
async function sort(app: App, db: Db, email: ParsedEmail, { unknownBecomes }: Arrival): Promise<Sorted> {
  const { inbox, settings } = app
  const address = email.from?.address
  const kind = (await isOurs(app, db, email)) ? 'loop' : email.kind
  const found = kind === 'loop' ? undefined : await findPlace(app, db, email)
  const verified_by: Sorted['verified_by'] =
    found?.by === 'token'
      ? 'token'
      : (proofOfSender(email.authentication, settings.inboundAuthservId, address) ?? null)
  const base = { kind, verified_by, mail_id: found?.mail_id ?? null }
  if (kind === 'loop' || kind === 'bounce' || kind === 'complaint')
    return { ...base, state: 'automatic', place: undefined }
  if (kind === 'auto_reply') return { ...base, state: 'automatic', place: found?.record ? found : undefined }
  if (address !== undefined && (await inbox.isBanned(db, address)))
    return { ...base, state: 'banned', place: found?.record ? found : undefined }
  const block = found?.record || address === undefined ? undefined : await inbox.findBlock(db, address)
  if (block !== undefined) return { ...base, state: 'spam', place: undefined, spam_reason: block }
  const place = found?.record ? found : await placeOfSender(app, db, email, unknownBecomes)
  if (place) return { ...base, state: 'filed', place }
  const spam_reason = await inbox.findSpamReason(db, email)
  return spam_reason === undefined
    ? { ...base, state: 'unsorted', place }
    : { ...base, state: 'spam', place, spam_reason }
}

async function placeOfSender(
  { inbox }: App,
  db: Db,
  { from, kind }: ParsedEmail,
  unknownBecomes: Arrival['unknownBecomes'],
): Promise<FoundPlace | undefined> {
  // Emails of lists aren't addressed to us, even if the sender is known.
  const known = kind === 'message' && from ? await inbox.findBySender(db, from.address) : undefined
  const record = known ?? (unknownBecomes && { type: unknownBecomes, id: 'create' as const })
  return record && { record, by: known ? 'address' : 'gateway', mail_id: null, staff_id: null }
}

/** Returns whether an email was sent by the panel, or from one of its addresses. */
async function isOurs({ settings }: App, db: Db, { from, message_id }: ParsedEmail): Promise<boolean> {
  const own = [settings.mailFrom, settings.inboundAddress].map((one) =>
    /[^\s<>]+@[^\s<>]+/.exec(one ?? '')?.[0]?.toLowerCase(),
  )
  if (from && own.includes(from.address)) return true
  const sent = await db
    .selectFrom('mails')
    .select('id')
    .where('message_id', '=', message_id)
    .executeTakeFirst()
  return sent !== undefined
}

const insertEmail = async (
  app: App,
  db: Db,
  email: ParsedEmail,
  { kind, state, place, mail_id, verified_by, spam_reason = '' }: Sorted,
  { mailbox_id }: Arrival,
) =>
  db
    .insertInto('received_mails')
    .values({
      message_id: email.message_id,
      kind,
      // Filed by `settle`, once the record exists.
      state: state === 'filed' ? 'unsorted' : state,
      spam_reason,
      from_name: email.from?.name ?? '',
      from_address: email.from?.address ?? '',
      to_addresses: email.to,
      cc_addresses: email.cc,
      other_addresses: await findOtherRecipients(app, db, email),
      subject: email.subject,
      text: email.text,
      html: email.html,
      bytes: email.bytes,
      in_reply_to: email.in_reply_to,
      references: email.references,
      written_at: email.written_at,
      verified_by,
      was_checked: app.settings.inboundAuthservId !== undefined,
      mail_id,
      filed_by: place?.by ?? null,
      ...(mailbox_id === undefined ? {} : { mailbox_id }),
    })
    .returning(['id', 'received_at'])
    .executeTakeFirstOrThrow()

interface Settling {
  id: number
  received_at: string
  email: ParsedEmail
  sorted: Sorted
  saved: SavedFiles
}

/** Adds an email to its place, if it has one. */
async function settle(
  app: App,
  context: Receiving,
  { id, received_at, email, sorted, saved }: Settling,
): Promise<Received['record']> {
  const { db } = context
  const { state, place } = sorted
  const content = showFilesInText(email.html, saved)
  if (content !== email.html)
    await db.updateTable('received_mails').set({ html: content }).where('id', '=', id).execute()
  await saved.attach({ type: 'received_mail', id })
  if (!place?.record) return null
  const filed: FiledEmail = {
    id,
    message_id: email.message_id,
    from_name: email.from?.name ?? '',
    from_address: email.from?.address ?? '',
    subject: email.subject,
    received_at,
    text: email.text,
    ...(await wordsOfEmail(db, { ...email, html: content }, sorted.mail_id)),
    file_ids: saved.ids,
    problems: [...email.problems, ...saved.problems],
    banned: state === 'banned',
  }
  return fileEmail(app, context, filed, { ...place, record: place.record, state, isQuiet: state !== 'filed' })
}

interface Filing {
  record: { type: RepliedType; id: number | 'create' }
  by: string
  state: string
  staff_id: number | null
  /** Whether it sends no notice. */
  isQuiet: boolean
}

/** Puts a received email on a record, which is created if it doesn't exist, and tells the people concerned. */
export async function fileEmail(
  app: App,
  context: Receiving,
  email: FiledEmail,
  { record, by, state, staff_id, isQuiet }: Filing,
): Promise<{ type: RepliedType; id: number }> {
  const { db, viewer, audit, changed } = context
  const { type } = record
  const kind: RecordKind = app.records.get(type)
  const place = app.inbox.placeOf(type)
  const id = record.id === 'create' ? await place.create!(context, email) : record.id
  const isMessage = state === 'filed' || state === 'banned'
  const ticket_message_id = (isMessage && (await place.add?.(context, id, email))) || null
  await db
    .updateTable('received_mails')
    .set({
      state,
      record_type: type,
      record_id: id,
      filed_by: by,
      filed_at: sql<string>`now()`,
      filed_by_staff_id: viewer?.id ?? null,
      created_record: record.id === 'create',
      ticket_message_id,
    })
    .where('id', '=', email.id)
    .execute()
  audit({ target: type, id, after: { mail: email.subject || '(no subject)', mail_from: email.from_address } })
  changed(liveName(kind), [id])
  if (!isQuiet) await tellAboutEmail(app, context, { kind, id, email, staff_id })
  return { type, id }
}
