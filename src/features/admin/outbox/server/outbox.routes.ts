import { outbox } from '#features/admin/outbox/contract.ts'
import {
  findMails,
  findMailsOf,
  findRecipients,
  findServerState,
  getMail,
} from '#features/admin/outbox/server/outbox.queries.ts'
import { failedRoutes } from '#features/admin/outbox/server/failed.routes.ts'
import { unsubscribeRoutes } from '#features/admin/outbox/server/unsubscribe.routes.ts'
import { waitingRoutes } from '#features/admin/outbox/server/waiting.routes.ts'
import type { Viewer } from '#shared/endpoint.ts'
import { mails, type WholeMail } from '#shared/mails.ts'
import { whyNotAllShown } from '#shared/recipients.ts'
import { isRecordType, liveNameOf } from '#shared/records.ts'
import { conflict, notAllowed, notFound } from '#server/http/errors.ts'
import type { App, Handler, WriteContext } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import { watchFailedMails } from '#server/record/failed-mails.ts'
import { sql, type Transaction } from 'kysely'
import type { Database, Db } from '#server/db/db.ts'

type Steering = Pick<WriteContext<typeof mails.stop>, 'db' | 'viewer' | 'called' | 'audit' | 'changed'>

export function outboxRoutes(app: App): void {
  const { mail } = app
  const { access, control } = mail
  const get = (db: Db, viewer: Viewer, id: number) => getMail(db, app, viewer, id)
  // Events contain only email IDs; reading an email requires permission to read its record.
  unsubscribeRoutes(app)
  waitingRoutes(app)
  failedRoutes(app)
  watchFailedMails(app)

  implement(app, outbox.list, async ({ query }, { db, viewer }) => {
    const shown = { seen: access.listed(viewer, app.records.all()), shown: access.shownRecipients(viewer) }
    const [page, server] = await Promise.all([
      findMails(db, shown, query, viewer),
      findServerState(db, mail.host, shown),
    ])
    return { ...page, server }
  })

  implement(app, mails.ofRecord, async ({ params }, { db, viewer }) => {
    if (!(await access.isReadable(db, params, viewer))) throw notFound('Record not found.')
    const shown = access.shownRecipients(viewer)
    return { data: await findMailsOf(db, params.type, sql`(${params.id})`, shown), is_on: mail.isOn }
  })
  implement(app, mails.show, async ({ params }, { db, viewer }) => ({
    data: await get(db, viewer, params.id),
    is_on: mail.isOn,
  }))
  implement(app, mails.recipients, async ({ params, query }, { db, viewer }) => {
    await get(db, viewer, params.id)
    return findRecipients(db, params.id, access.shownRecipients(viewer), query)
  })

  /** Applies an action to an email and returns the email's new state. */
  const applyToMail = async (
    id: number,
    context: Steering,
    act: (db: Transaction<Database>, id: number) => Promise<unknown>,
  ) => {
    const { db, viewer, audit, changed } = context
    const before = await get(db, viewer, id)
    demandSteering(before)
    if ((await act(db, id)) === 0)
      throw conflict('This action no longer applies to any recipient of this email.', before)
    const data = await get(db, viewer, id)
    audit({ target: 'mail', id, before: progressOf(before), after: progressOf(data) })
    changed('mails', [id])
    return data
  }
  implement(app, mails.retry, async ({ params: { id } }, context) => {
    const data = await applyToMail(id, context, async (db) => {
      if ((await control.retry(db, id)) === 0)
        throw conflict('This email was already sent or is being sent now.', await get(db, context.viewer, id))
    })
    showOnRecord(context, data)
    return { message: soon(app, 'Retrying email.'), data }
  })
  implement(app, mails.stop, async ({ params }, context) => ({
    message: 'Email paused.',
    data: await applyToMail(params.id, context, (db, id) => control.stop(db, id)),
  }))
  implement(app, mails.resume, async ({ params }, context) => {
    const data = await applyToMail(params.id, context, (db, id) => control.resume(db, id))
    return { message: soon(app, 'Email resumed.'), data }
  })
  implement(app, mails.correctAddress, correctAddress)
  implement(app, mails.callOff, async ({ params }, context) => ({
    message: 'Email canceled.',
    data: await applyToMail(params.id, context, (_db, id) => control.callOff(context, id)),
  }))
}

const correctAddress: Handler<typeof mails.correctAddress> = async ({ params: { id }, body }, context) => {
  const { app, db, viewer, audit, changed } = context
  const before = await getMail(db, app, viewer, id)
  demandSteering(before)
  await app.mail.control.correctAddress(db, id, { from: body.old_address, to: body.new_address })
  audit({
    target: 'mail',
    id,
    before: { address: body.old_address },
    after: { address: body.new_address },
  })
  changed('mails', [id])
  const data = await getMail(db, app, viewer, id)
  showOnRecord(context, data)
  return { message: soon(app, `Sending the email to ${body.new_address}.`), data }
}

/** @throws HttpError 403 for an email of someone else, or one to people whom the viewer can't see. */
function demandSteering({ may_steer, hidden }: WholeMail): void {
  if (!may_steer) throw notAllowed(hidden > 0 ? whyNotAllShown : undefined)
}

/** Returns what an action says; without an SMTP server, that the email waits. */
const soon = ({ mail }: App, words: string) =>
  mail.isOn ? words : 'Email queued. It will be sent once an SMTP server is set up.'

/** Refreshes the lists of the email's record, which mark emails that failed. */
function showOnRecord(
  { changed }: Pick<Steering, 'changed'>,
  { record_type: type, record_id: id }: WholeMail,
) {
  if (id !== null && isRecordType(type)) changed(liveNameOf(type), [id])
}

const progressOf = ({ progress, called_off }: { progress: object; called_off: boolean }) => ({
  ...progress,
  called_off,
})
