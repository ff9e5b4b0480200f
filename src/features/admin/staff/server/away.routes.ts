import { absences, awayText, mostDaysAway } from '#shared/away.contract.ts'
import { daysBetween } from '#shared/dates.ts'
import { wallTime } from '#shared/zones.ts'
import { lockStaff } from '#features/admin/staff/server/staff.routes.ts'
import { conflict, invalid, notFound } from '#server/http/errors.ts'
import type { App, Handler } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import { endAway, findAway, setAway } from '#server/record/away.ts'

const showAway: Handler<typeof absences.show> = async ({ params: { id } }, { db, clock }) => {
  const person = await db.selectFrom('staff').select('id').where('id', '=', id).executeTakeFirst()
  if (!person) throw notFound('Admin user not found.')
  return { data: await findAway(db, id, clock.now()) }
}

const markAway: Handler<typeof absences.set> = async ({ params: { id }, body: { until } }, context) => {
  const { db, viewer, clock, audit, changed } = context
  const person = await lockStaff(db, id, viewer)
  const { zone = 'UTC' } = viewer
  const from = wallTime(clock.now(), zone).day
  const days = until === null ? 0 : daysBetween(from, until)
  if (days < 0) throw invalid('until', 'Choose today or a later day.')
  if (days > mostDaysAway) throw invalid('until', 'Choose a day within a year.')
  const before = await findAway(db, id, clock.now())
  await setAway(db, { staff_id: id, from, until, zone, by: viewer.id }, clock.now())
  audit({ target: 'staff', id, before: inHistory(before), after: inHistory({ until }) })
  changed('staff', [id])
  const words = awayText({ until }).replace('Away', 'away')
  return { message: id === viewer.id ? `You are ${words}.` : `${person.first_name} is ${words}.` }
}

const markBack: Handler<typeof absences.end> = async ({ params: { id } }, context) => {
  const { db, viewer, clock, audit, changed } = context
  const person = await lockStaff(db, id, viewer)
  const before = await findAway(db, id, clock.now())
  if (!before) throw conflict(id === viewer.id ? 'You aren’t away.' : `${person.first_name} isn’t away.`)
  await endAway(db, id, clock.now())
  audit({ target: 'staff', id, before: inHistory(before), after: inHistory(null) })
  changed('staff', [id])
  return { message: id === viewer.id ? 'Welcome back.' : `${person.first_name} is back.` }
}

/** `away_until` is empty in the history if no end is known. */
const inHistory = (away: { until: string | null } | null) => ({
  away: away !== null,
  away_until: away?.until ?? null,
})

export function awayRoutes(app: App): void {
  implement(app, absences.show, showAway)
  implement(app, absences.set, markAway)
  implement(app, absences.end, markBack)
}
