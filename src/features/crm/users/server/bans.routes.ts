import { plainDate } from '#shared/dates.ts'
import { customerUserKind } from '#features/crm/users/server/customer-user.queries.ts'
import { users } from '#features/crm/users/contract.ts'
import { findBanned, getUser, liftEndedBans, notBanned } from '#features/crm/users/server/users.queries.ts'
import { conflict, invalid } from '#server/http/errors.ts'
import type { App, Handler } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import { lockRecord } from '#server/record/record.ts'
import { touchRecords } from '#server/record/touch.ts'

const everyFiveMinutes = '*/5 * * * *'

const banUser: Handler<typeof users.ban> = async (
  { params: { id }, body: { reason, until } },
  { db, viewer, clock, audit, changed },
) => {
  await lockRecord(db, customerUserKind, id, viewer)
  const before = await getUser(db, id, viewer)
  if (until !== undefined && until <= plainDate(clock.now()))
    throw invalid('until', 'Choose a date after today.')
  const ban = { ban_reason: reason, banned_until: until === undefined ? null : `${until}T00:00:00.000Z` }
  const banned_at = before.banned_at ?? clock.now().toISOString()
  await touchRecords({ db, changed }, customerUserKind, id, { ...ban, banned_at, banned_by: viewer.id })
  audit({
    target: 'customer_user',
    id,
    before: {
      banned: before.banned_at !== null,
      ban_reason: before.ban_reason,
      banned_until: before.banned_until,
    },
    after: { banned: true, ...ban },
  })
  return { message: 'User banned.', data: await getUser(db, id, viewer) }
}

const unbanUser: Handler<typeof users.unban> = async ({ params: { id } }, { db, viewer, audit, changed }) => {
  await lockRecord(db, customerUserKind, id, viewer)
  const before = await getUser(db, id, viewer)
  if (before.banned_at === null) throw conflict('This user isn’t banned.', before)
  await touchRecords({ db, changed }, customerUserKind, id, notBanned)
  audit({
    target: 'customer_user',
    id,
    before: { banned: true, ban_reason: before.ban_reason },
    after: { banned: false, ban_reason: '' },
  })
  return { message: 'User unbanned.', data: await getUser(db, id, viewer) }
}

export function banRoutes(app: App): void {
  app.jobs.every('customer-bans', everyFiveMinutes, async () => {
    const lifted = await liftEndedBans(app.db, app.clock.now())
    if (lifted.length) app.live.changed('customer_user', lifted, null)
  })
  implement(app, users.banned, ({ query }, { db, viewer }) => findBanned(db, query, viewer))
  implement(app, users.ban, banUser)
  implement(app, users.unban, unbanUser)
}
