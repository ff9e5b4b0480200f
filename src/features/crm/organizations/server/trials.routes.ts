import { dayText } from '#shared/dates.ts'
import { wallTime } from '#shared/zones.ts'
import { trials } from '#features/crm/organizations/trials.contract.ts'
import { isTrialRunning, onTrial, trialEnd } from '#features/crm/organizations/rules.ts'
import { findSetting } from '#features/admin/settings/server/panel-settings.queries.ts'
import {
  organizationReads,
  organizationKind,
} from '#features/crm/organizations/server/organizations.queries.ts'
import { changeOrganization } from '#features/crm/organizations/server/changes.ts'
import { conflict } from '#server/http/errors.ts'
import type { App, Handler } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import { lockRecord } from '#server/record/record.ts'

const startTrial: Handler<typeof trials.startTrial> = async ({ body: { org_id } }, context) => {
  const { app } = context
  const held = await lockRecord(context.db, organizationKind, org_id, context.viewer)
  const day = wallTime(app.clock.now(), held.timezone).day
  if (isTrialRunning(held, day))
    throw conflict(
      'A trial is already running.',
      await organizationReads.whole(context.db, org_id, context.viewer),
    )
  const end = trialEnd(day, await findSetting(context.db, 'trial_days', app.settings.trialDays))
  return changeOrganization(
    context,
    org_id,
    { status: onTrial, trial_end_date: end },
    `Trial started. It ends on ${dayText(end)}.`,
    'Trial started',
  )
}

const updateTrialDate: Handler<typeof trials.updateTrialDate> = async (
  { body: { id, trial_date, trial_in_days } },
  context,
) => {
  const { app } = context
  const held = await lockRecord(context.db, organizationKind, id, context.viewer)
  if (held['status'] !== onTrial)
    throw conflict(
      'This organization isn’t on trial.',
      await organizationReads.whole(context.db, id, context.viewer),
    )
  const end = trial_date ?? trialEnd(wallTime(app.clock.now(), held.timezone).day, trial_in_days!)
  return changeOrganization(
    context,
    id,
    { trial_end_date: end },
    `The trial ends on ${dayText(end)}.`,
    'Trial end date set',
  )
}

export function trialRoutes(app: App): void {
  implement(app, trials.startTrial, startTrial)
  implement(app, trials.updateTrialDate, updateTrialDate)
}
