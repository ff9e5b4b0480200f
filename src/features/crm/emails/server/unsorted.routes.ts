import { unsorted } from '#features/crm/emails/contract.ts'
import {
  emailToFile,
  findUnsorted,
  lockEmail,
  type LockedEmail,
  searchPlaces,
  suggestPlaces,
} from '#features/crm/emails/server/unsorted.queries.ts'
import type { z } from 'zod'
import { addAddress, removeAddressOf } from '#features/crm/users/server/user-addresses.queries.ts'
import { can } from '#shared/access.ts'
import { allows } from '#shared/endpoint.ts'
import { isAddress } from '#shared/recipients.ts'
import { recordTypes, rightOn, type RepliedType } from '#shared/records.ts'
import { conflict, HttpError, invalid, notAllowed } from '#server/http/errors.ts'
import type { App, Handler, WriteContext } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import { fileEmail } from '#server/inbound/inbox.ts'
import { findOwnAddresses } from '#server/inbound/own-addresses.ts'
import { getRecord, isVisible, trashRecords } from '#server/record/record.ts'
import { liveName, type RecordKind } from '#server/record/rows.ts'
import { touchRecords } from '#server/record/touch.ts'

type Writing = WriteContext<typeof unsorted.undo>
const nothing = { params: {}, query: {}, body: {} }

const listUnsorted: Handler<typeof unsorted.list> = ({ query }, { app, db, viewer }) =>
  findUnsorted(app, db, viewer, query)

const listPlaces: Handler<typeof unsorted.places> = async (
  { params: { id }, query: { q } },
  { app, db, viewer },
) => {
  const mail = await lockEmail(app, db, viewer, id)
  return {
    data: q === '' ? await suggestPlaces(app, db, viewer, mail) : await searchPlaces(app, db, viewer, q),
  }
}

const fileUnsorted: Handler<typeof unsorted.file> = async ({ params: { id }, body }, context) => {
  const { app, db, viewer } = context
  const mail = await lockEmail(app, db, viewer, id)
  if (mail.record_type !== null) throw conflict('Someone has already filed this email.')
  const { type } = body
  await demandPlace(app, context, type, body.record_id, body.lead_for)
  const author = await findAuthor(context, body)
  const isRemembered = author !== undefined && (await rememberSender(context, mail, author))
  const record = await fileUnder(context, mail, {
    type,
    id: body.record_id ?? 'create',
    lead_for: body.lead_for,
    user_id: author,
  })
  const name = type === 'ticket' ? `ticket #${record.id}` : recordTypes[type].one
  const message = body.record_id === undefined ? `Filed under a new ${name}.` : `Filed under ${name}.`
  return {
    message: isRemembered ? `${message} ${mail.from_address} is now an address of this user.` : message,
    record,
  }
}

/**
 * Returns the customer user who wrote an email, if the user who files it says so.
 * @throws HttpError 404 or 422 if they can't be its author.
 */
async function findAuthor(
  { app, db, viewer }: Writing,
  { type, record_id, user_id }: z.output<typeof unsorted.file.body>,
): Promise<number | undefined> {
  if (user_id === undefined) return type === 'customer_user' ? record_id : undefined
  if (type !== 'ticket' || record_id !== undefined) throw invalid('user_id', 'Choose a new ticket.')
  await getRecord(db, app.records.get('customer_user'), user_id, viewer)
  return user_id
}

/**
 * Adds the sender of an email to the addresses of the user who wrote it. One that our mail server couldn't verify is
 * not added.
 */
async function rememberSender(context: Writing, mail: LockedEmail, user_id: number): Promise<boolean> {
  const { app, db } = context
  const { kind, from_address: address, was_checked, verified_by } = mail
  if (kind !== 'message' || !isAddress(address) || (was_checked && verified_by === null)) return false
  const isOwn = await findOwnAddresses(db, app.settings)
  return !isOwn(address) && addAddress(context, { user_id, address }, mail.id)
}

interface Under {
  type: RepliedType
  id: number | 'create'
  /** Product of a new lead. */
  lead_for?: number | undefined
  /** The customer user who wrote it. */
  user_id?: number | undefined
}

/** Files an email under a record or a new one, as a person does, and returns the record. */
async function fileUnder(context: Writing, mail: LockedEmail, { type, id, lead_for, user_id }: Under) {
  const { app, db, changed } = context
  const email = { ...(await emailToFile(db, mail)), product_id: lead_for, user_id }
  const record = await fileEmail(app, context, email, {
    record: { type, id },
    by: 'staff',
    state: 'filed',
    staff_id: null,
    isQuiet: mail.kind !== 'message',
  })
  changed('received-mails', [mail.id])
  return record
}

/** @throws HttpError 403, 404, or 422 if the viewer can't file an email there. */
async function demandPlace(
  app: App,
  { db, viewer }: Writing,
  type: RepliedType,
  id: number | undefined,
  lead_for: number | undefined,
): Promise<void> {
  if (!allows(rightOn(type, 'read'), viewer, nothing)) throw notAllowed()
  if (id !== undefined) {
    await getRecord(db, app.records.get(type), id, viewer)
    return
  }
  if (!app.inbox.placeOf(type).create) throw invalid('record_id', 'Choose a record.')
  if (type !== 'lead') return
  if (!can(viewer, 'lead_create')) throw notAllowed()
  if (lead_for === undefined) throw invalid('lead_for', 'Choose the product.')
}

const settleUnsorted: Handler<typeof unsorted.settle> = async (
  { params: { id }, body: { state } },
  context,
) => {
  const mail = await lockEmail(context.app, context.db, context.viewer, id)
  if (mail.record_type !== null) throw conflict('Someone has already filed this email.')
  await settle(context, mail, state)
  return { message: state === 'spam' ? 'Marked as spam.' : 'Marked as needing no reply.' }
}

/** Marks an email on no record as spam, or as one that needs no reply. */
export async function settle(
  { db, viewer, audit, changed }: Pick<Writing, 'db' | 'viewer' | 'audit' | 'changed'>,
  { id, state: before }: Pick<LockedEmail, 'id' | 'state'>,
  state: 'spam' | 'done',
): Promise<void> {
  await db
    .updateTable('received_mails')
    .set({ state, filed_by_staff_id: viewer.id, spam_reason: '' })
    .where('id', '=', id)
    .execute()
  audit({ target: 'received_mail', id, before: { state: before }, after: { state } })
  changed('received-mails', [id])
}

interface Sorting {
  /** Whether an email can be sorted in this way; the others are named. */
  isWanted: (mail: LockedEmail) => boolean
  act: (mail: LockedEmail) => Promise<unknown>
}

/** Sorts each of the emails for which that is possible, and names the others. */
async function sortEach(
  { app, db, viewer }: Pick<Writing, 'app' | 'db' | 'viewer'>,
  ids: readonly number[],
  { isWanted, act }: Sorting,
) {
  const data: number[] = []
  const left_out: { id: number; title: string; why: string }[] = []
  // In one order, so that two requests can't wait for each other.
  for (const id of [...new Set(ids)].toSorted((a, b) => a - b)) {
    const mail = await lockEmail(app, db, viewer, id).catch((error: unknown) => {
      if (error instanceof HttpError && error.status === 404) return undefined
      throw error
    })
    if (!mail) left_out.push({ id, title: '', why: 'This email doesn’t exist.' })
    else if (!isWanted(mail))
      left_out.push({ id, title: mail.subject || '(no subject)', why: 'Someone has already sorted it.' })
    else {
      await act(mail)
      data.push(id)
    }
  }
  if (data.length === 0) throw conflict(left_out[0]!.why)
  return { data, left_out }
}

const isUnsorted = ({ state }: LockedEmail) => state === 'unsorted'
const emailsText = (count: number) => (count === 1 ? '1 email' : `${count} emails`)

const settleMany: Handler<typeof unsorted.settleMany> = async ({ body: { ids, state } }, context) => {
  const done = await sortEach(context, ids, {
    isWanted: isUnsorted,
    act: (mail) => settle(context, mail, state),
  })
  const as = state === 'spam' ? 'as spam' : 'as needing no reply'
  return { message: `${emailsText(done.data.length)} marked ${as}.`, ...done }
}

const fileMany: Handler<typeof unsorted.fileMany> = async ({ body: { ids } }, context) => {
  const done = await sortEach(context, ids, {
    isWanted: isUnsorted,
    act: (mail) => fileUnder(context, mail, { type: 'ticket', id: 'create' }),
  })
  const { length } = done.data
  return { message: length === 1 ? '1 ticket created.' : `${length} tickets created.`, ...done }
}

/** Whether a person filed an email, or it is under Spam or No reply needed. */
export const isReturnable = ({ state, filed_by_staff_id }: LockedEmail) =>
  state === 'spam' || state === 'done' || (state === 'filed' && filed_by_staff_id !== null)

const undoMany: Handler<typeof unsorted.undoMany> = async ({ body: { ids } }, context) => {
  const done = await sortEach(context, ids, {
    isWanted: isReturnable,
    act: (mail) => returnEmail(context, mail),
  })
  return { message: `${emailsText(done.data.length)} returned to Unsorted.`, ...done }
}

const undoFiling: Handler<typeof unsorted.undo> = async ({ params: { id } }, context) => {
  const mail = await lockEmail(context.app, context.db, context.viewer, id)
  if (!isReturnable(mail)) throw conflict('This email is in Unsorted already, or no one sorted it.')
  await returnEmail(context, mail)
  return { message: 'Returned to Unsorted.' }
}

/** Returns a sorted email to Unsorted: it is taken off its record, which is moved to the trash if it was created for it. */
export async function returnEmail(context: Writing, mail: LockedEmail): Promise<void> {
  const { app, db, audit, changed } = context
  const { id, record_type, record_id, ticket_message_id } = mail
  await removeAddressOf(context, id)
  if (record_type !== null && record_id !== null) {
    const type = record_type as RepliedType
    const kind = app.records.get(type)
    if (ticket_message_id !== null)
      await app.inbox.placeOf(type).takeBack?.(context, record_id, ticket_message_id)
    if (mail.created_record) await removeCreated(context, kind, record_id, mail.filed_by_staff_id!)
    changed(liveName(kind), [record_id])
  }
  await db
    .updateTable('received_mails')
    .set({
      state: 'unsorted',
      record_type: null,
      record_id: null,
      filed_by: null,
      filed_at: null,
      filed_by_staff_id: null,
      spam_reason: '',
      created_record: false,
      ticket_message_id: null,
    })
    .where('id', '=', id)
    .execute()
  await db
    .deleteFrom('notices')
    .where('kind', '=', 'email_received')
    .where('anchor', '=', `received-${id}`)
    .execute()
  audit({ target: 'received_mail', id, before: { state: mail.state }, after: { state: 'unsorted' } })
  changed('received-mails', [id])
}

/** Moves the record that was created of an email to the trash: the user who filed the email can, others with the permission. */
async function removeCreated(
  context: Writing,
  kind: RecordKind,
  id: number,
  filed_by: number,
): Promise<void> {
  const { db, viewer, audit, changed } = context
  if (!(await isVisible(db, kind, id, viewer))) return
  if (filed_by !== viewer.id) {
    await trashRecords(context, kind, [id])
    return
  }
  const gone = { deleted_at: new Date().toISOString(), deleted_by: viewer.id }
  await touchRecords({ db, changed }, kind, id, gone)
  audit({ target: kind.type, id, before: { deleted_at: null }, after: { deleted_at: gone.deleted_at } })
}

export function unsortedRoutes(app: App): void {
  implement(app, unsorted.list, listUnsorted)
  implement(app, unsorted.places, listPlaces)
  implement(app, unsorted.file, fileUnsorted)
  implement(app, unsorted.settle, settleUnsorted)
  implement(app, unsorted.settleMany, settleMany)
  implement(app, unsorted.fileMany, fileMany)
  implement(app, unsorted.undo, undoFiling)
  implement(app, unsorted.undoMany, undoMany)
}
