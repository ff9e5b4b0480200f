import { sql } from 'kysely'
import { addDays } from '#shared/dates.ts'
import { instantsOf } from '#shared/zones.ts'
import { scheduleDaysAtMost } from '#features/crm/leads/demos.rules.ts'
import { onboardings } from '#features/crm/onboarding/contract.ts'
import { onboardingStatuses } from '#features/crm/onboarding/rules.ts'
import {
  findSchedule,
  findStages,
  getOnboarding,
  onboardingKind,
} from '#features/crm/onboarding/server/onboarding.queries.ts'
import { conflict, invalid } from '#server/http/errors.ts'
import type { App, Handler } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import { changeRecord, lockRecord } from '#server/record/record.ts'

const showOnboarding: Handler<typeof onboardings.show> = async ({ query }, { db, viewer }) => ({
  data: await getOnboarding(db, query.id, viewer),
})

const listStages: Handler<typeof onboardings.stages> = async ({ query }, { db }) => ({
  data: await findStages(db, query.product),
})

const updateOnboarding: Handler<typeof onboardings.update> = async (
  { params: { id }, body: { version, base, ...values } },
  context,
) => {
  const current = () => getOnboarding(context.db, id, context.viewer)
  const { operation } = await changeRecord(context, onboardingKind, id, values, {
    stated: { version, base },
    current,
  })
  return { message: 'Onboarding saved.', data: await current(), operation }
}

const updateStatus: Handler<typeof onboardings.updateStatus> = async (
  { body: { id, status, hold_reason, resume_on } },
  context,
) => {
  const { app } = context
  const held = await lockRecord(context.db, onboardingKind, id, context.viewer)
  const current = () => getOnboarding(context.db, id, context.viewer)
  const name = onboardingStatuses[status]
  if (held['status'] === status && status !== 2)
    throw conflict(`This onboarding is already ${name.toLowerCase()}.`, await current())
  const { operation } = await changeRecord(
    context,
    onboardingKind,
    id,
    {
      status,
      hold_reason: status === 2 ? (hold_reason ?? '') : '',
      resume_on: status === 2 ? (resume_on ?? null) : null,
      completed_at: status === 3 ? app.clock.now().toISOString() : null,
    },
    { current, summary: `Status set to ${name}` },
  )
  return { message: `Onboarding is now ${name.toLowerCase()}.`, data: await current(), operation }
}

const showSchedule: Handler<typeof onboardings.schedule> = (
  { query: { from, to, timezone, ...filters } },
  { db, viewer },
) => {
  if (to < from) throw invalid('to', 'The end date must be on or after the start date.')
  if (to > addDays(from, scheduleDaysAtMost - 1))
    throw invalid('to', `Choose a period of up to ${scheduleDaysAtMost} days.`)
  return findSchedule(db, instantsOf(from, to, timezone), filters, viewer)
}

export function onboardingRoutes(app: App): void {
  app.records.register(onboardingKind)
  app.optionLists.register('onboarding_stages', {
    table: 'onboarding_stages',
    key: 'id',
    used: (key) => sql`select count(*) as count from onboardings o where o.stage = ${Number(key)}
      or exists (select from onboarding_steps s where s.onboarding_id = o.id and s.stage = ${Number(key)})`,
    usedBy: ['onboarding uses', 'onboardings use'],
  })
  implement(app, onboardings.show, showOnboarding)
  implement(app, onboardings.stages, listStages)
  implement(app, onboardings.update, updateOnboarding)
  implement(app, onboardings.updateStatus, updateStatus)
  implement(app, onboardings.schedule, showSchedule)
}
