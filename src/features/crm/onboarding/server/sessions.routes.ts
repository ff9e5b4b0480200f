import { demoStatusOfLead } from '#features/crm/leads/demos.rules.ts'
import {
  demandHosts,
  factsOfSession,
  findDemos,
  findSessionTypes,
  getDemo,
  insertDemo,
  sessionsOf,
  updateDemo,
} from '#features/crm/leads/demos/server/demos.queries.ts'
import { sendInvitations } from '#features/crm/leads/demos/server/invitations.queries.ts'
import { changeLead, leadKind, lockLead } from '#features/crm/leads/record/server/leads.queries.ts'
import { onboardingSessions } from '#features/crm/onboarding/sessions.contract.ts'
import {
  getOnboarding,
  leadOfOnboarding,
  onboardingKind,
} from '#features/crm/onboarding/server/onboarding.queries.ts'
import { invalid, notFound } from '#server/http/errors.ts'
import type { App, Handler } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import { asOperation } from '#server/record/as-operation.ts'
import { getRecord, lockRecord } from '#server/record/record.ts'

const postSession: Handler<typeof onboardingSessions.postSession> = async (
  { body: { lead_onboaring_id, id, is_completed, invite, ...values } },
  context,
) => {
  const { app, db, viewer, audit, changed } = context
  const { id: onboarding_id } = await getRecord(db, onboardingKind, lead_onboaring_id, viewer)
  // The lead is locked first, as when undoing a win.
  const lead = await lockLead(db, await leadOfOnboarding(db, onboarding_id), viewer)
  const held = await lockRecord(db, onboardingKind, onboarding_id, viewer)
  const saved = {
    summary: 'Session saved',
    parts: sessionsOf(lead.lead_id),
    also: [{ kind: leadKind, id: lead.lead_id }],
  }
  const { operation } = await asOperation(context, onboardingKind, held.id, saved, async () => {
    const types = await findSessionTypes(db)
    const before =
      id === undefined
        ? undefined
        : (await getOnboarding(db, held.id, viewer)).sessions.find((one) => one.id === id)
    if (id !== undefined && !before) throw notFound('Session not found.')
    const type = values.type ?? before?.type ?? types[0]
    if (type === undefined || (type !== before?.type && !types.includes(type)))
      throw invalid('type', `The type “${type ?? ''}” doesn’t exist.`)
    await demandHosts(db, 'host_ids', values.host_ids, before)
    const final_date = values.final_date === undefined ? (before?.final_date ?? null) : values.final_date
    const done = is_completed ?? before?.is_completed ?? false
    const status = done ? 3 : final_date === null ? 1 : 2
    const facts = before && (await factsOfSession(db, before))
    let session_id = id
    if (session_id === undefined) {
      session_id = await insertDemo(db, lead.lead_id, { ...values, type, status }, viewer.id)
      await db
        .updateTable('lead_demos')
        .set({ onboarding_id: held.id })
        .where('id', '=', session_id)
        .execute()
    } else await updateDemo(db, session_id, { ...values, type, status })
    audit({
      target: 'onboarding',
      id: held.id,
      ...(facts ? { before: facts } : {}),
      after: await factsOfSession(db, await getDemo(db, lead.lead_id, session_id)),
    })
    // The lead's demo status is derived from its demos.
    const demo_status = demoStatusOfLead(await findDemos(db, lead.lead_id))
    if (demo_status !== undefined && demo_status !== lead.demo_status) {
      await changeLead(context, lead.lead_id, { demo_status }, { within: null })
    }
    changed('leads', [lead.lead_id])
    changed('onboarding', [held.id])
    await sendInvitations(app, context, lead, new Set(invite ? [session_id] : []))
  })
  return { message: 'Session saved.', data: await getOnboarding(db, held.id, viewer), operation }
}

export function onboardingSessionRoutes(app: App): void {
  implement(app, onboardingSessions.postSession, postSession)
}
