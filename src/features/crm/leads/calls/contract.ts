import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import { changedReply, editBaseFields, ReversibleOperation } from '#shared/record.contract.ts'
import {
  emptyIsAbsent,
  emptyIsNull,
  instant,
  plainDay,
  recordId,
  text,
  wholeNumber,
} from '#shared/schemas.ts'
import { callDirections, mostMinutes, type CallDirection } from '#features/crm/leads/calls/rules.ts'

/** A call with a lead. */
export const LeadCall = z.object({
  id: z.number().int(),
  /** The lead of the call, or one that was merged into it. */
  lead_id: z.number().int(),
  called_at: instant,
  called_by: z.number().int(),
  who: z.string(),
  /** `out` is a call to the lead, `in` one from the lead. */
  direction: z.enum(['out', 'in']),
  /** A key of `callOutcomes`. */
  outcome: z.number().int(),
  minutes: z.number().int().nullable(),
  note: z.string(),
  /** The follow-up date that was set together with the call. */
  followup_date: z.string().nullable(),
})
export type LeadCall = z.output<typeof LeadCall>

const LeadCallInTimeline = LeadCall.extend({ operation: ReversibleOperation.nullable() })
export type LeadCallInTimeline = z.output<typeof LeadCallInTimeline>

const noSuchOutcome = 'This outcome doesn’t exist.'

/** The fields of a call that its author can change. */
export const CallInput = z.object({
  direction: z.enum(
    Object.keys(callDirections) as [CallDirection, ...CallDirection[]],
    'Choose “out” or “in”.',
  ),
  outcome: wholeNumber(1, 4, noSuchOutcome, noSuchOutcome),
  minutes: emptyIsNull(wholeNumber(0, mostMinutes)),
  note: text(10_000),
})

/** A new call. Without `followup_date`, the follow-up date of the lead stays as it is. */
export const NewCall = CallInput.partial()
  .required({ outcome: true })
  .extend({ followup_date: emptyIsAbsent(plainDay) })

const path = '/admin/users/lead-calls'
const CallChanged = changedReply(LeadCall)

export const leadCalls = {
  ofLead: endpoint({
    method: 'GET',
    path,
    shows: ['leads'],
    summary: 'List the calls with a lead, and with the leads that were merged into it, newest first.',
    access: 'lead_detail',
    query: z.object({ lead_id: recordId }),
    response: z.object({ data: z.array(LeadCallInTimeline) }),
  }),
  log: endpoint({
    method: 'POST',
    path,
    summary:
      'Log a call with a lead and, with `followup_date`, set the date of the next one. Returns 409 with the current lead if someone else changed that date after `version`.',
    act: 'Logged a call',
    access: 'lead_edit',
    notFields: ['base'],
    body: NewCall.extend({ lead_id: recordId, ...editBaseFields }),
    response: CallChanged,
  }),
  change: endpoint({
    method: 'POST',
    path: `${path}/{id}`,
    summary: 'Change a call that the caller logged. The follow-up date of the lead stays as it is.',
    act: 'Changed a call',
    access: 'lead_edit',
    params: z.object({ id: recordId }),
    body: CallInput.partial(),
    response: CallChanged,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: `${path}/{id}`,
    summary: 'Delete a call that the caller logged. The follow-up date of the lead stays as it is.',
    act: 'Deleted a call',
    access: 'lead_edit',
    params: z.object({ id: recordId }),
    response: changedReply(z.object({ id: z.number().int() })),
  }),
}
