import { can, isAdminRole } from '#shared/access.ts'
import { outbox } from '#features/admin/outbox/contract.ts'
import { findMails, getMail } from '#features/admin/outbox/server/outbox.queries.ts'
import { conflict } from '#server/http/errors.ts'
import { implement, type App } from '#server/http/implement.ts'

export function outboxRoutes(app: App): void {
  app.live.allowRecords('mails', (viewer) => isAdminRole(viewer.role_id) || can(viewer, 'lead_detail'))

  implement(app, outbox.list, async ({ query }, { db, viewer }) => ({ ...(await findMails(db, viewer, query.page, query.state)), is_on: app.mail.isOn }))

  implement(app, outbox.show, async ({ params }, { db, viewer }) => ({ data: await getMail(db, viewer, params.id) }))

  implement(app, outbox.retry, async ({ params }, { db, viewer, record, changed }) => {
    const before = await getMail(db, viewer, params.id)
    const count = await app.mail.retry(db, params.id)
    if (count === 0) throw conflict('This mail has left, or is leaving right now.', before)
    const data = await getMail(db, viewer, params.id)
    const states = (mail: typeof data) => ({ states: mail.recipients.map(({ address, state }) => `${address}: ${state}`) })
    record({ target: 'mail', id: params.id, before: states(before), after: states(data) })
    changed('mails', [params.id])
    return { message: app.mail.isOn ? 'The mail is tried again.' : 'The mail waits: there is no SMTP server.', data }
  })
}
