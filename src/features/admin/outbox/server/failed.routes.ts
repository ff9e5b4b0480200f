import { sql } from 'kysely'
import { isWrongAddress } from '#shared/delivery.ts'
import { mostDecided, outbox, retriedDays } from '#features/admin/outbox/contract.ts'
import type { Db } from '#server/db/db.ts'
import { conflict } from '#server/http/errors.ts'
import type { App, Handler } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import type { SignedIn } from '#server/http/session.ts'

interface Failed {
  id: number
  recipients: { address: string; last_error: string | null }[]
}

/** Returns the emails of the last days that the viewer can steer, with the recipients who didn't get them. */
async function findFailed(app: App, db: Db, viewer: SignedIn): Promise<Failed[]> {
  const { access } = app.mail
  const { rows } = await sql<Failed>`select m.id, (
      select json_agg(json_build_object('address', r.address, 'last_error', r.last_error) order by r.address)
      from mail_recipients r where r.mail_id = m.id and r.state = 'failed') as recipients
    from mails m where m.called_off_at is null and m.created_at > now() - make_interval(days => ${retriedDays})
      and exists (select from mail_recipients r where r.mail_id = m.id and r.state = 'failed')
      and ${access.listed(viewer, app.records.all())} and ${access.showsAll(viewer)}
    order by m.id limit ${mostDecided} for update of m`.execute(db)
  return rows
}

const emails = (count: number) => (count === 1 ? '1 email' : `${count} emails`)

const retryFailed: Handler<typeof outbox.retryFailed> = async (_input, context) => {
  const { app, db, viewer, audit, changed } = context
  if (!app.mail.isOn) throw conflict('Email isn’t set up yet, so nothing can be sent.')
  const found = (await findFailed(app, db, viewer)).map(({ id, recipients }) => ({
    id,
    addresses: recipients
      .filter(({ last_error }) => !isWrongAddress(last_error))
      .map(({ address }) => address),
  }))
  const retried = found.filter(({ addresses }) => addresses.length > 0)
  if (retried.length === 0)
    throw conflict(
      `No email of the last ${retriedDays} days can be retried. Correct the addresses that don’t exist.`,
    )
  for (const { id, addresses } of retried) {
    await app.mail.control.retry(db, id, addresses)
    audit({ target: 'mail', id, before: { failed: addresses.length }, after: { failed: 0 } })
  }
  changed(
    'mails',
    retried.map(({ id }) => id),
  )
  return { message: `Retrying ${emails(retried.length)}.`, count: retried.length }
}

export function failedRoutes(app: App): void {
  implement(app, outbox.retryFailed, retryFailed)
}
