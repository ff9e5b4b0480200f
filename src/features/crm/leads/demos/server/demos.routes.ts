import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import { demoStatuses } from '#shared/appointments.contract.ts'
import { addDays, type PlainDate } from '#shared/dates.ts'
import { instantsOf, wallTime } from '#shared/zones.ts'
import { demos, type Demo, type SessionInput } from '#features/crm/leads/demos/contract.ts'
import { handOver, type HandOver } from '#features/crm/leads/demos/hand-over.contract.ts'
import { demoStatusOfLead, scheduleDaysAtMost, whyNotDemoStatus } from '#features/crm/leads/demos.rules.ts'
import {
  demandHosts,
  findDemos,
  findSchedule,
  findSessionTypes,
  factsOfSession,
  getDemo,
  insertDemo,
  leadOfDemo,
  sessionsOf,
  updateDemo,
  type DemoValues,
} from '#features/crm/leads/demos/server/demos.queries.ts'
import { sendInvitations } from '#features/crm/leads/demos/server/invitations.queries.ts'
import { notifyAssignee } from '#features/crm/leads/record/server/assignee.queries.ts'
import {
  changeLead,
  demandLead,
  leadKind,
  lockLead,
} from '#features/crm/leads/record/server/leads.queries.ts'
import type { Lead } from '#features/crm/leads/contract.ts'
import { conflict, invalid } from '#server/http/errors.ts'
import type { App, Handler, WriteContext } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import { asOperation } from '#server/record/as-operation.ts'

type Writing = Pick<WriteContext<typeof demos.save>, 'db' | 'viewer' | 'called' | 'audit' | 'changed'>

export function leadDemosRoutes(app: App): void {
  implement(app, demos.ofLead, async ({ query }, { db, viewer }) => {
    await demandLead(db, query.lead_id, viewer)
    return { data: await findDemos(db, query.lead_id), types: await findSessionTypes(db) }
  })

  implement(app, demos.save, async ({ body }, context) => {
    const { db, viewer } = context
    const lead = await lockLead(db, body.lead_id, viewer)
    const types = await findSessionTypes(db)
    const { operation } = await asSessionOperation(context, lead, 'Session saved', async () => {
      const invited = new Set<number>()
      for (const [index, { invite, ...session }] of body.sessions.entries()) {
        if (session.id !== undefined && body.sessions.findIndex(({ id }) => id === session.id) !== index)
          throw invalid(`sessions.${index}.id`, 'This session is listed twice.')
        const id = await saveSession(context, lead, session, index, types)
        if (invite) invited.add(id)
      }
      await syncDemoStatus(context, lead)
      await sendInvitations(app, context, lead, invited)
    })
    return {
      message: body.sessions.length === 1 ? 'Session saved.' : 'Sessions saved.',
      data: await findDemos(db, lead.lead_id),
      operation,
    }
  })

  implement(app, demos.updateStatus, async ({ body }, context) => {
    const { lead, demo } = await lockDemo(context, body.demoId)
    const why = whyNotDemoStatus(demo, body.status)
    if (why) throw conflict(why, demo)
    const { result: data, operation } = await asSessionOperation(
      context,
      lead,
      'Session updated',
      async () => {
        const after = await changeDemo(context, lead, demo, { status: body.status })
        await syncDemoStatus(context, lead)
        await sendInvitations(app, context, lead, new Set())
        return after
      },
    )
    return { message: 'Session updated.', data, operation }
  })

  implement(app, demos.receivedDate, async ({ body }, context) => {
    const { lead, demo } = await lockDemo(context, body.demoId)
    const { result: data, operation } = await asSessionOperation(context, lead, 'Received date updated', () =>
      changeDemo(context, lead, demo, { received_date: body.received_date }),
    )
    if (data !== demo) context.changed('leads', [lead.lead_id])
    return { message: 'Received date updated.', data, operation }
  })

  implement(app, handOver.save, saveHandOver)

  implement(app, demos.schedule, ({ query: { from, to, timezone, ...filters } }, { db, viewer }) => {
    demandRange(from, to)
    return findSchedule(db, instantsOf(from, to, timezone), filters, viewer)
  })

  implement(app, demos.orgTime, async ({ body: { org_timezone } }, { clock }) => {
    const now = clock.now()
    return { data: { org_timezone, now: now.toISOString(), ...wallTime(now, org_timezone) } }
  })
}

const saveHandOver: Handler<typeof handOver.save> = async ({ body }, context) => {
  const { app } = context
  const { lead, demo } = await lockDemo(context, body.demoId)
  const host_ids = await hostsAfter(context, demo, body)
  const { result: data, operation } = await asSessionOperation(
    context,
    lead,
    'Session handed over',
    async () => {
      const after = await changeDemo(context, lead, demo, { host_ids })
      await sendInvitations(app, context, lead, new Set())
      return after
    },
  )
  await notifyAssignee(app, context, body.host_id, [lead.lead_id], `the session “${demo.type}”`)
  context.changed('leads', [lead.lead_id])
  return { message: `Session handed over to ${data.led_by ?? 'the new host'}.`, data, operation }
}

/**
 * Returns the hosts of a session once it is handed over.
 * @throws HttpError 409 if it is over, 422 at the field
 */
async function hostsAfter(
  { db, viewer }: Writing,
  demo: Demo,
  { host_id, from: wanted }: z.output<typeof HandOver>,
): Promise<number[]> {
  const { host_ids, status } = demo
  if (status === 0 || status === 3)
    throw conflict(`A ${demoStatuses[status].toLowerCase()} session can’t be handed over.`, demo)
  await demandHosts(db, 'host_id', [host_id])
  if (host_ids.includes(host_id)) throw invalid('host_id', 'This admin user leads the session already.')
  const left =
    wanted ?? (host_ids.includes(viewer.id) ? viewer.id : host_ids.length === 1 ? host_ids[0] : undefined)
  if (left === undefined && host_ids.length > 0) throw invalid('from', 'Choose whose place they take.')
  if (left !== undefined && !host_ids.includes(left))
    throw invalid('from', 'This admin user doesn’t lead the session.')
  return [...host_ids.filter((host) => host !== left), host_id]
}

function demandRange(from: PlainDate, to: PlainDate): void {
  if (to < from) throw invalid('to', 'The end date must be on or after the start date.')
  if (to > addDays(from, scheduleDaysAtMost - 1))
    throw invalid('to', `Choose a period of up to ${scheduleDaysAtMost} days.`)
}

/**
 * Returns a demo and its lead, which is locked to serialize changes to its demos.
 * @throws HttpError 404
 */
async function lockDemo({ db, viewer }: Writing, id: number): Promise<{ lead: Lead; demo: Demo }> {
  const lead = await lockLead(db, await leadOfDemo(db, id), viewer)
  return { lead, demo: await getDemo(db, lead.lead_id, id) }
}

async function saveSession(
  context: Writing,
  lead: Lead,
  { id, ...values }: Omit<SessionInput, 'invite'>,
  index: number,
  types: readonly string[],
): Promise<number> {
  const before = id === undefined ? undefined : await getDemo(context.db, lead.lead_id, id)
  // A session can keep a type that has since been removed from the list.
  if (values.type !== undefined && values.type !== before?.type && !types.includes(values.type))
    throw invalid(`sessions.${index}.type`, `The type “${values.type}” doesn’t exist.`)
  await demandHosts(context.db, `sessions.${index}.host_ids`, values.host_ids, before)
  if (before) {
    await changeDemo(context, lead, before, { ...values, ...statusOf(values, before) })
    return before.id
  }
  const type = values.type ?? types[0]
  if (type === undefined) throw invalid(`sessions.${index}.type`, 'This field is required.')
  const new_id = await insertDemo(
    context.db,
    lead.lead_id,
    { ...values, type, ...statusOf(values) },
    context.viewer.id,
  )
  context.audit({
    target: 'lead',
    id: lead.lead_id,
    after: {
      session: new_id,
      ...(await factsOfSession(context.db, await getDemo(context.db, lead.lead_id, new_id))),
    },
  })
  return new_id
}

/**
 * Returns the status change: setting a scheduled time turns a request into an appointment, and clearing it
 * turns the appointment back into a request.
 */
function statusOf({ final_date }: SessionInput, before?: Demo): { status?: number } {
  if (final_date === undefined) return {}
  const status = before?.status ?? 1
  if (final_date !== null && status === 1) return { status: 2 }
  return final_date === null && status === 2 ? { status: 1 } : {}
}

/** Stores and audits the fields that have changed; returns the demo as is if none have. */
async function changeDemo(
  { db, audit }: Writing,
  lead: Lead,
  before: Demo,
  values: DemoValues,
): Promise<Demo> {
  const differs = Object.entries(values).filter(
    ([field, value]) => value !== undefined && !isDeepStrictEqual(value, before[field as keyof Demo]),
  )
  if (differs.length === 0) return before
  await updateDemo(db, before.id, Object.fromEntries(differs))
  const after = await getDemo(db, lead.lead_id, before.id)
  audit({
    target: 'lead',
    id: lead.lead_id,
    before: await factsOfSession(db, before),
    after: await factsOfSession(db, after),
  })
  return after
}

/** Updates the lead's demo status based on its demos. */
async function syncDemoStatus(context: Writing, lead: Lead): Promise<void> {
  const demo_status = demoStatusOfLead(await findDemos(context.db, lead.lead_id))
  if (demo_status !== undefined) await changeLead(context, lead.lead_id, { demo_status }, { within: null })
  context.changed('leads', [lead.lead_id])
}

/** Changes a lead's sessions as an operation that can be undone. */
const asSessionOperation = <Result>(
  context: Writing,
  { lead_id }: Lead,
  summary: string,
  work: () => Promise<Result>,
) => asOperation(context, leadKind, lead_id, { summary, parts: sessionsOf(lead_id) }, work)
