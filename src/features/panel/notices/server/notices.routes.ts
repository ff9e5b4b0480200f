import { sql } from 'kysely'
import { notices } from '#features/panel/notices/contract.ts'
import {
  findNotice,
  findNotices,
  findUnread,
  markNotices,
} from '#features/panel/notices/server/notices.queries.ts'
import { notFound } from '#server/http/errors.ts'
import type { App, Handler } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import { assignmentMail } from '#server/record/assigned.ts'

/** Announces to the viewer's tabs that their notices changed. */
function announce(
  app: App,
  { viewer, afterCommit, changed }: Parameters<Handler<typeof notices.read>>[1],
): void {
  changed('notices', [])
  afterCommit(() => app.live.publish(`private-staff.${viewer.id}`, 'notices', {}))
}

const markNotice: Handler<typeof notices.read> = async ({ params: { id }, body }, context) => {
  const { app, db, viewer } = context
  if (!(await findNotice(db, app.records.all(), viewer, id))) throw notFound('This notice doesn’t exist.')
  await markNotices(db, id, body)
  announce(app, context)
  return { message: body.read ? 'Marked as read.' : 'Marked as unread.' }
}

const markAll: Handler<typeof notices.readAll> = async ({ body: { id } }, context) => {
  const { app } = context
  await context.db
    .updateTable('notices')
    .set({ read_at: sql<string>`now()` })
    .where('staff_id', '=', context.viewer.id)
    .where('id', '<=', id)
    .where('read_at', 'is', null)
    .execute()
  announce(app, context)
  return { message: 'Marked all as read.' }
}

const muteRecord: Handler<typeof notices.mute> = async ({ params: { id }, body: { muted } }, context) => {
  const { app, db, viewer } = context
  const notice = await findNotice(db, app.records.all(), viewer, id)
  if (!notice) throw notFound('This notice doesn’t exist.')
  const { record_type, record_id, title } = notice
  const record = { staff_id: viewer.id, record_type, record_id }
  if (muted)
    await db
      .insertInto('muted_records')
      .values(record)
      .onConflict((on) => on.doNothing())
      .execute()
  else
    await db
      .deleteFrom('muted_records')
      .where('staff_id', '=', viewer.id)
      .where('record_type', '=', record_type)
      .where('record_id', '=', record_id)
      .execute()
  announce(app, context)
  return { message: muted ? `Muted “${title}”.` : `Unmuted “${title}”.` }
}

const showSettings: Handler<typeof notices.settings> = async (_input, { db, viewer }) => {
  const chosen = await db
    .selectFrom('assignment_emails')
    .select('staff_id')
    .where('staff_id', '=', viewer.id)
    .executeTakeFirst()
  return { data: { emails_assignments: chosen !== undefined } }
}

const setSettings: Handler<typeof notices.setSettings> = async (
  { body: { emails_assignments } },
  context,
) => {
  const { db, viewer, changed } = context
  const own = { staff_id: viewer.id }
  if (emails_assignments)
    await db
      .insertInto('assignment_emails')
      .values(own)
      .onConflict((on) => on.doNothing())
      .execute()
  else await db.deleteFrom('assignment_emails').where('staff_id', '=', own.staff_id).execute()
  changed('notices', [])
  const message = emails_assignments
    ? 'Assignments are emailed to you.'
    : 'Assignments are no longer emailed to you.'
  return { message, data: { emails_assignments } }
}

/** Registers the endpoints for the viewer's own notices. */
export function noticeRoutes(app: App): void {
  // It can name records of products that other readers of the outbox don't have.
  app.mail.access.registerReadCheck(
    assignmentMail,
    (_db, id, viewer) => id === viewer.id,
    (viewer) => sql`m.record_id = ${viewer.id}`,
  )
  implement(app, notices.list, ({ query }, { db, viewer }) =>
    findNotices(db, app.records.all(), viewer, query),
  )
  implement(app, notices.count, async (_input, { db, viewer }) => {
    const records = await findUnread(db, app.records.all(), viewer)
    return { unread: records.length, records }
  })
  implement(app, notices.settings, showSettings)
  implement(app, notices.setSettings, setSettings)
  implement(app, notices.read, markNotice)
  implement(app, notices.readAll, markAll)
  implement(app, notices.mute, muteRecord)
}
