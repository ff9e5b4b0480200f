import { outbox } from '#features/admin/outbox/contract.ts'
import {
  findMails,
  findMailsOf,
  findRecipients,
  getMail,
} from '#features/admin/outbox/server/outbox.queries.ts'
import { unsubscribeRoutes } from '#features/admin/outbox/server/unsubscribe.routes.ts'
import type { Viewer } from '#shared/endpoint.ts'
import { mails } from '#shared/mails.ts'
import { conflict, notAllowed, notFound } from '#server/http/errors.ts'
import { implement, type App, type WriteContext } from '#server/http/implement.ts'
import { sql, type Transaction } from 'kysely'
import type { Database, Db } from '#server/db/db.ts'

type Steering = Pick<WriteContext<typeof mails.stop>, 'db' | 'viewer' | 'called' | 'audit' | 'changed'>

export function outboxRoutes(app: App): void {
  const { mail } = app
  const get = (db: Db, viewer: Viewer, id: number) => getMail(db, app, viewer, id)
  // Events contain only email IDs; reading an email requires permission to read its record.
  app.live.allowRecords('mails', () => true)
  unsubscribeRoutes(app)

  implement(app, outbox.list, async ({ query }, { db, viewer }) => ({
    ...(await findMails(db, mail.listed(viewer, app.records.all()), query)),
    is_on: mail.isOn,
  }))

  implement(app, mails.ofRecord, async ({ params }, { db, viewer }) => {
    if (!(await mail.isReadable(db, params, viewer))) throw notFound('Record not found.')
    return { data: await findMailsOf(db, params.type, sql`(${params.id})`), is_on: mail.isOn }
  })
  implement(app, mails.show, async ({ params }, { db, viewer }) => ({
    data: await get(db, viewer, params.id),
    is_on: mail.isOn,
  }))
  implement(app, mails.recipients, async ({ params, query }, { db, viewer }) => {
    await get(db, viewer, params.id)
    return findRecipients(db, params.id, query.page, query.state)
  })

  /** Applies an action to an email and returns the email's new state. */
  const applyToMail = async (
    id: number,
    context: Steering,
    act: (db: Transaction<Database>, id: number) => Promise<unknown>,
  ) => {
    const { db, viewer, audit, changed } = context
    const before = await get(db, viewer, id)
    if (!before.may_steer) throw notAllowed()
    if ((await act(db, id)) === 0)
      throw conflict('This action no longer applies to any recipient of this email.', before)
    const data = await get(db, viewer, id)
    audit({ target: 'mail', id, before: progressOf(before), after: progressOf(data) })
    changed('mails', [id])
    return data
  }
  const soon = (words: string) =>
    mail.isOn ? words : 'Email queued. It will be sent once an SMTP server is set up.'

  implement(app, mails.retry, async ({ params: { id } }, context) => {
    const data = await applyToMail(id, context, async (db) => {
      if ((await mail.retry(db, id)) === 0)
        throw conflict('This email was already sent or is being sent now.', await get(db, context.viewer, id))
    })
    return { message: soon('Retrying email.'), data }
  })
  implement(app, mails.stop, async ({ params }, context) => ({
    message: 'Email paused.',
    data: await applyToMail(params.id, context, (db, id) => mail.stop(db, id)),
  }))
  implement(app, mails.resume, async ({ params }, context) => {
    const data = await applyToMail(params.id, context, (db, id) => mail.resume(db, id))
    return { message: soon('Email resumed.'), data }
  })
  implement(app, mails.callOff, async ({ params }, context) => ({
    message: 'Email canceled.',
    data: await applyToMail(params.id, context, (_db, id) => mail.callOff(context, id)),
  }))
}

const progressOf = ({ progress, called_off }: { progress: object; called_off: boolean }) => ({
  ...progress,
  called_off,
})
