import { plainDate, type PlainDate } from '#shared/dates.ts'
import type { Viewer } from '#shared/endpoint.ts'
import { counted } from '#shared/records.ts'
import { type OrganizationFilters } from '#features/crm/organizations/contract.ts'
import { statusChanges } from '#features/crm/organizations/status.contract.ts'
import { organizationStatuses } from '#features/crm/organizations/fields.ts'
import {
  idsOfMatching,
  mostAtOnce,
  organizationKind,
  previewStatus,
} from '#features/crm/organizations/server/organizations.queries.ts'
import { type Writing } from '#features/crm/organizations/server/changes.ts'
import type { Db } from '#server/db/db.ts'
import { conflict, HttpError, invalid, notFound } from '#server/http/errors.ts'
import type { App, Handler } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import { changeInBulk, inBackground, setValues } from '#server/record/batches.ts'

const setStatus = async (
  context: Writing,
  ids: readonly number[],
  status: number,
  end: PlainDate | undefined,
) => {
  const wanted = [...new Set(ids)]
  const { refused, changing, already } = await previewStatus(
    context.db,
    wanted,
    { status, end, now: context.clock.now() },
    context.viewer,
  )
  if (refused + changing + already < wanted.length)
    throw notFound(
      wanted.length === 1 ? 'Organization not found.' : 'One or more of these organizations don’t exist.',
    )
  if (refused)
    throw invalid(
      'trial_end_date',
      refused === 1
        ? 'Set an end date for the trial.'
        : `Set a trial end date: ${refused} organizations have no end date or one that has passed.`,
    )
  const name = organizationStatuses[status as keyof typeof organizationStatuses]
  const done = await changeInBulk(context, organizationKind, wanted, {
    change: setValues({ status, ...(end === undefined ? {} : { trial_end_date: end }) }),
    summary: `Status set to ${name}`,
  })
  if (done.running) return { message: inBackground, operation: done.operation, changed: 0, unchanged: 0 }
  const counts = { changed: done.changed.length, unchanged: done.unchanged }
  const same = counts.unchanged ? ` ${counts.unchanged} already had this status.` : ''
  return {
    message: `Status set to ${name}: ${counted('organization', counts.changed)}.${same}`,
    operation: done.operation,
    ...counts,
  }
}

const changeStatus: Handler<typeof statusChanges.changeStatus> = (
  { query: { status, org_id, org_ids, trial_end_date } },
  context,
) => setStatus(context, org_ids ?? [org_id!], status, trial_end_date)

const idsThatFit = async (
  app: App,
  { db, viewer }: { db: Db; viewer: Viewer },
  filters: Partial<OrganizationFilters>,
) => {
  const ids = await idsOfMatching(db, filters, { ...viewer, today: plainDate(app.clock.now()) })
  if (ids.length > mostAtOnce)
    throw new HttpError(422, 'Select up to 10,000 organizations at a time.', {
      errors: { filters: ['You can change up to 10,000 organizations at a time. Narrow the filters.'] },
    })
  return ids
}

const changeMatching: Handler<typeof statusChanges.changeMatching> = async (
  { body: { filters, status, trial_end_date, expected } },
  context,
) => {
  const { app } = context
  const ids = await idsThatFit(app, context, filters)
  if (expected !== undefined && expected !== ids.length)
    throw conflict(`${ids.length} organizations match now, not ${expected}. Review the list and try again.`, {
      count: ids.length,
    })
  if (!ids.length) throw invalid('filters', 'No organizations match the filters.')
  return setStatus(context, ids, status, trial_end_date)
}

const previewChange: Handler<typeof statusChanges.previewStatus> = async (
  { body: { filters, org_ids, status, trial_end_date } },
  { app, db, viewer, clock },
) => {
  if ((filters === undefined) === (org_ids === undefined))
    throw invalid('org_ids', 'Send either org_ids or filters.')
  const ids = org_ids ?? (await idsThatFit(app, { db, viewer }, filters!))
  return previewStatus(db, [...new Set(ids)], { status, end: trial_end_date, now: clock.now() }, viewer)
}

export function organizationStatusRoutes(app: App): void {
  implement(app, statusChanges.changeStatus, changeStatus)
  implement(app, statusChanges.changeMatching, changeMatching)
  implement(app, statusChanges.previewStatus, previewChange)
}
