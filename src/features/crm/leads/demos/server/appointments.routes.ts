import { findWorkingHours } from '#features/admin/settings/server/panel-settings.queries.ts'
import {
  findConflicts,
  findFreeTimes,
  findHostDays,
} from '#features/crm/leads/demos/server/appointments.queries.ts'
import { appointments } from '#shared/appointments.contract.ts'
import { freeTimes } from '#shared/free-times.contract.ts'
import type { App, Handler } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import { getRecord } from '#server/record/record.ts'

const listConflicts: Handler<typeof appointments.conflicts> = async (
  { params, query },
  { app, db, viewer },
) => {
  await getRecord(db, app.records.get(params.type), params.id, viewer)
  return { data: await findConflicts(db, params, query, viewer) }
}

const listBusyTimes: Handler<typeof appointments.busy> = async ({ params, query }, { app, db, viewer }) => {
  await getRecord(db, app.records.get(params.type), params.id, viewer)
  return { data: await findHostDays(db, params, query, viewer) }
}

const listFreeTimes: Handler<typeof freeTimes.list> = async (
  { params, query },
  { app, db, viewer, clock },
) => {
  await getRecord(db, app.records.get(params.type), params.id, viewer)
  const hours = await findWorkingHours(db)
  return findFreeTimes(db, params, query, { viewer, now: clock.now(), hours })
}

export function appointmentRoutes(app: App): void {
  for (const type of ['leads', 'onboarding'] as const)
    app.live.onChanged(type, (_ids, by) => app.live.changed('appointments', [], by))
  implement(app, appointments.conflicts, listConflicts)
  implement(app, appointments.busy, listBusyTimes)
  implement(app, freeTimes.list, listFreeTimes)
}
