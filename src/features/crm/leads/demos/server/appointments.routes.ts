import { findConflicts, findHostDays } from '#features/crm/leads/demos/server/appointments.queries.ts'
import { appointments } from '#shared/appointments.contract.ts'
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

export function appointmentRoutes(app: App): void {
  implement(app, appointments.conflicts, listConflicts)
  implement(app, appointments.busy, listBusyTimes)
}
