import { dayText } from '#shared/dates.ts'
import { leadCalls, type LeadCall } from '#features/crm/leads/calls/contract.ts'
import { callWords, whyNotChangeCall } from '#features/crm/leads/calls/rules.ts'
import {
  deleteCall,
  findCalls,
  getCall,
  insertCall,
  partsOfCalls,
  updateCall,
} from '#features/crm/leads/calls/server/calls.queries.ts'
import {
  changeLead,
  demandLead,
  leadKind,
  lockLead,
} from '#features/crm/leads/record/server/leads.queries.ts'
import type { App, Handler, WriteContext } from '#server/app.ts'
import { notAllowed } from '#server/http/errors.ts'
import { implement } from '#server/http/implement.ts'
import { asOperation } from '#server/record/as-operation.ts'
import { engineOf } from '#server/record/undo.ts'

type Writing = Pick<WriteContext<typeof leadCalls.log>, 'db' | 'viewer' | 'called' | 'audit' | 'changed'>

const logCall: Handler<typeof leadCalls.log> = async (
  { body: { lead_id, version, base, followup_date, ...values } },
  context,
) => {
  const { db, viewer, audit, changed } = context
  const { result: data, operation } = await asCallOperation(context, lead_id, 'Call logged', async () => {
    if (followup_date !== undefined)
      await changeLead(context, lead_id, { followup_date }, { stated: { version, base }, within: null })
    return insertCall(db, { ...values, lead_id, called_by: viewer.id, followup_date })
  })
  audit({ target: 'lead', id: lead_id, after: { call_id: data.id, ...audited(data) } })
  changed('leads', [lead_id])
  const next = followup_date === undefined ? '' : ` Follow-up date: ${dayText(followup_date)}.`
  return { message: `Call logged.${next}`, data, operation }
}

const changeCall: Handler<typeof leadCalls.change> = async ({ params: { id }, body }, context) => {
  const before = await lockCall(context, id)
  const { result: data, operation } = await asCallOperation(context, before.lead_id, 'Call changed', () =>
    updateCall(context.db, id, body),
  )
  if (operation) {
    context.audit({ target: 'lead', id: before.lead_id, before: audited(before), after: audited(data) })
    context.changed('leads', [before.lead_id])
  }
  return { message: 'Call saved.', data, operation }
}

const removeCall: Handler<typeof leadCalls.remove> = async ({ params: { id } }, context) => {
  const before = await lockCall(context, id)
  const { operation } = await asCallOperation(context, before.lead_id, 'Call deleted', () =>
    deleteCall(context.db, id),
  )
  context.audit({ target: 'lead', id: before.lead_id, after: audited(before) })
  context.changed('leads', [before.lead_id])
  return { message: 'Call deleted.', data: { id }, operation }
}

export function leadCallRoutes(app: App): void {
  const { accessOf } = engineOf(app)
  implement(app, leadCalls.ofLead, async ({ query: { lead_id } }, { db, viewer }) => {
    await demandLead(db, lead_id, viewer)
    return { data: await findCalls(db, lead_id, { viewer, accessOf }) }
  })
  implement(app, leadCalls.log, logCall)
  implement(app, leadCalls.change, changeCall)
  implement(app, leadCalls.remove, removeCall)
}

/**
 * Returns a call that the viewer can change. Its lead is locked, to serialize changes to its calls.
 * @throws HttpError 404, or 403 if someone else logged the call.
 */
async function lockCall({ db, viewer }: Writing, id: number): Promise<LeadCall> {
  await lockLead(db, (await getCall(db, id)).lead_id, viewer)
  const call = await getCall(db, id)
  const why = whyNotChangeCall(call, viewer)
  if (why) throw notAllowed(why)
  return call
}

/** Changes a lead's calls as an operation that can be undone. */
const asCallOperation = <Result>(
  context: Writing,
  lead_id: number,
  summary: string,
  work: () => Promise<Result>,
) => asOperation(context, leadKind, lead_id, { summary, parts: [partsOfCalls(lead_id)] }, work)

/** Returns what the history says about a call. */
const audited = (call: LeadCall) => ({ call: callWords(call), call_note: call.note })
