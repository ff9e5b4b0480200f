import { sql, type Transaction } from 'kysely'
import { mostDecided, outbox } from '#features/admin/outbox/contract.ts'
import type { Database, Db } from '#server/db/db.ts'
import { conflict } from '#server/http/errors.ts'
import type { App, Handler, WriteContext } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import type { SignedIn } from '#server/http/session.ts'
import { isStale } from '#server/mail/schedule.ts'

/**
 * Emails that have waited since before there was a mail server. Emails with a secret link are in no list, but
 * count here, because they also wait; they are canceled when they are sent after their link has expired.
 */
const waiting = (app: App, viewer: SignedIn) => sql`from mails m
  where m.stopped_at is null and m.called_off_at is null and exists (select from mail_recipients r where r.mail_id = m.id and ${isStale})
    and (m.record_type in ('invitation', 'own_address') or ${app.mail.access.listed(viewer, app.records.all())} and ${app.mail.access.showsAll(viewer)})`

const countWaiting =
  (app: App): Handler<typeof outbox.waiting> =>
  async (_input, { db, viewer }) => {
    const { rows } = await sql<{ count: number; since: string | null }>`
      select count(*) as count, min(m.created_at) as since ${waiting(app, viewer)}`.execute(db)
    return rows[0]!
  }

async function findWaiting(app: App, db: Db, viewer: SignedIn, ids: readonly number[] | undefined) {
  const { rows } = await sql<{ id: number }>`select m.id ${waiting(app, viewer)}
    and ${ids ? sql`m.id = any(${ids}::int[])` : sql`true`} order by m.id limit ${mostDecided} for update of m`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

type Deciding = Pick<WriteContext<typeof outbox.sendWaiting>, 'db' | 'viewer' | 'audit' | 'changed'>

async function decide(
  app: App,
  { db, viewer, audit, changed }: Deciding,
  ids: readonly number[] | undefined,
  { after, act }: { after: string; act: (db: Transaction<Database>, id: number) => Promise<unknown> },
): Promise<number> {
  const found = await findWaiting(app, db, viewer, ids)
  if (found.length === 0) throw conflict('These emails are no longer waiting.')
  for (const id of found) {
    await act(db, id)
    audit({
      target: 'mail',
      id,
      before: { waiting: 'since before the mail server' },
      after: { waiting: after },
    })
  }
  changed('mails', found)
  return found.length
}

const emails = (count: number) => (count === 1 ? '1 email' : `${count} emails`)

const sendWaiting =
  (app: App): Handler<typeof outbox.sendWaiting> =>
  async ({ body: { ids } }, context) => {
    if (!app.mail.isOn) throw conflict('Email isn’t set up yet, so nothing can be sent.')
    const count = await decide(app, context, ids, {
      after: 'sent',
      act: (db, id) => app.mail.control.release(db, id),
    })
    return { message: `Sending ${emails(count)}.`, count }
  }

const discardWaiting =
  (app: App): Handler<typeof outbox.discardWaiting> =>
  async ({ body: { ids } }, context) => {
    const count = await decide(app, context, ids, {
      after: 'discarded',
      act: (_db, id) => app.mail.control.callOff(context, id),
    })
    return { message: `${emails(count)} discarded.`, count }
  }

export function waitingRoutes(app: App): void {
  implement(app, outbox.waiting, countWaiting(app))
  implement(app, outbox.sendWaiting, sendWaiting(app))
  implement(app, outbox.discardWaiting, discardWaiting(app))
}
