import { can } from '#shared/access.ts'
import { plainDate } from '#shared/dates.ts'
import { leadBoard } from '#features/crm/leads/board.contract.ts'
import { leadFilterValues } from '#features/crm/leads/choice-filters.contract.ts'
import { LeadRow, leads, messages, type Lead } from '#features/crm/leads/contract.ts'
import { leadOperations } from '#features/crm/leads/operations.contract.ts'
import { rejectedStatus, whyNotReject, whyNotSet } from '#features/crm/leads/rules.ts'
import { findLeadBoard } from '#features/crm/leads/record/server/board.queries.ts'
import { findColumnValues } from '#features/crm/leads/record/server/column-values.queries.ts'
import { findOptions } from '#features/crm/leads/record/server/choices.queries.ts'
import { findFilterValues } from '#features/crm/leads/record/server/filter-values.queries.ts'
import { compactCounts } from '#features/crm/leads/record/server/lead-counts.ts'
import type { LeadValues } from '#features/crm/leads/record/server/lead-columns.ts'
import {
  changeLead,
  createLead,
  findLeadNotes,
  getLead,
  isVisible,
  leadKind,
} from '#features/crm/leads/record/server/leads.queries.ts'
import { findLeads } from '#features/crm/leads/record/server/list.queries.ts'
import { notifyAssignee } from '#features/crm/leads/record/server/assignee.queries.ts'
import { findLeadSums } from '#features/crm/leads/record/server/summary.queries.ts'
import { leadColumnValues } from '#features/crm/leads/columns.contract.ts'
import { leadSummary } from '#features/crm/leads/summary.contract.ts'
import { leadZone } from '#features/crm/leads/zone.contract.ts'
import { conflict, invalid, notAllowed } from '#server/http/errors.ts'
import { registerLeadLists } from '#features/crm/leads/record/server/lists.ts'
import type { App, Handler } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import { demandPhone } from '#server/phone-number.ts'
import { zoneOf } from '#server/zone-of.ts'
import { findLaterMove } from '#server/record/moved.ts'
import { operationOfCreated } from '#server/record/record.ts'
import type { StoredOf, Writing } from '#server/record/rows.ts'

const everyNight = '23 3 * * *'

const listLeads: Handler<typeof leads.list> = ({ query }, { app, viewer, clock }) =>
  findLeads(app.pool, query, viewer, query.today ?? plainDate(clock.now()))

const showBoard: Handler<typeof leadBoard.show> = ({ query }, { app, viewer, clock }) =>
  findLeadBoard(app.pool, query, viewer, query.today ?? plainDate(clock.now()))

const showSummary: Handler<typeof leadSummary.show> = ({ query }, { app, reply, viewer, clock }) =>
  findLeadSums(app.pool, reply, query, viewer, query.today ?? plainDate(clock.now()))

const showLead: Handler<typeof leads.show> = async ({ query: { id } }, { db, viewer }) => {
  const [lead, notes] = await Promise.all([getLead(db, id, viewer), findLeadNotes(db, id)])
  return { data: { ...lead, notes } }
}

const listPresence: Handler<typeof leadOperations.presence> = async ({ query }, { app, db, viewer }) => {
  const open = query.ids
    .map((lead_id) => ({ lead_id, people: app.live.peopleIn('lead', lead_id) }))
    .filter(({ people }) => people.length)
  const visible = await Promise.all(open.map(({ lead_id }) => isVisible(db, lead_id, viewer)))
  return { data: open.filter((_, index) => visible[index]) }
}

const addLead: Handler<typeof leads.create> = async ({ body }, context) => {
  const { db, viewer, clock } = context
  refuseRejection(body.status)
  if (body.color !== undefined && body.color !== 0) demandPriority(viewer)
  demandPhone(body.phone)
  const lead_date = body.lead_date ?? plainDate(clock.now())
  const id = await createLead(context, { ...body, lead_date })
  const operation = await operationOfCreated(context, leadKind, id)
  await notifyAssignee(context.app, context, body.assign_to, [id])
  return { message: 'Lead created.', data: await getLead(db, id, viewer), operation }
}

const updateLead: Handler<typeof leads.update> = async (
  { body: { lead_id, version, base, ...values } },
  context,
) => {
  let assignee: number | null | undefined
  const { operation } = await changeLead(context, lead_id, values, {
    stated: { version, base },
    needs: (changes) => ('color' in changes ? 'lead_select_pripority' : 'lead_edit'),
    // Of a lead whose number was stored without this check, other fields can be saved.
    check: (_before, { status, color, phone, assign_to }) => {
      assignee = assign_to
      demandPhone(phone)
      refuseRejection(status)
      if (color !== undefined) demandPriority(context.viewer)
    },
  })
  await notifyAssignee(context.app, context, assignee, [lead_id])
  return { message: 'Lead saved.', data: await getLead(context.db, lead_id, context.viewer), operation }
}

const changeStatus: Handler<typeof leads.changeDemoRequestStatus> = async (
  { query: { id, status, reject_msg, reject_reason_id, version } },
  context,
) => {
  const { db, viewer } = context
  const isRejection = status === rejectedStatus
  if (!isRejection && reject_msg)
    throw invalid('reject_msg', 'Send reject_msg only with the rejected status.')
  if (!isRejection && reject_reason_id)
    throw invalid('reject_reason_id', 'Send reject_reason_id only with the rejected status.')
  if (isRejection && !reject_msg) throw invalid('reject_msg', 'Enter a reason for rejecting this lead.')
  const { operation } = await changeLead(
    context,
    id,
    reject_msg ? { status, reject_msg, reject_reason_id } : { status },
    {
      ...(isRejection
        ? { summary: 'Rejected', needs: 'lead_reject', kind: 'reject' }
        : { summary: 'Status changed' }),
      check: async (before) => {
        await refuseMoved(context, before, version)
        const why = isRejection ? whyNotReject(before.status) : undefined
        if (why) throw conflict(why, await getLead(db, id, viewer))
      },
    },
  )
  if (isRejection && operation) context.changed('lead-operations', [operation.id])
  const data = asRow(await getLead(db, id, viewer))
  return { message: isRejection ? 'Lead rejected.' : 'Status updated.', data, operation }
}

/** Changes a lead in place; returns its row. */
const changeRow = async (
  context: Writing,
  id: number,
  values: LeadValues,
  options: Parameters<typeof changeLead>[3],
) => {
  const { operation } = await changeLead(context, id, values, options)
  return { data: asRow(await getLead(context.db, id, context.viewer)), operation }
}

const changeStatusInRow: Handler<typeof leads.changeLeadStatus> = async (
  { query: { id, status, version } },
  context,
) => {
  refuseRejection(status)
  const done = await changeRow(
    context,
    id,
    { status },
    { summary: 'Status changed', check: (before) => refuseMoved(context, before, version) },
  )
  return { message: 'Status updated.', ...done }
}

/** Refuses to change a status that someone else changed after the viewer saw the lead. */
async function refuseMoved(
  { db, viewer }: Writing,
  before: StoredOf<typeof leadKind>,
  seen: number | undefined,
) {
  const moved = await findLaterMove(db, leadKind, before, seen, ['status'], viewer)
  if (!moved) return
  const status = await db
    .selectFrom('lead_statuses')
    .select('name')
    .where('id', '=', before.status)
    .executeTakeFirstOrThrow()
  const current = await getLead(db, before.id, viewer)
  throw conflict(`${moved.name} already changed the status of this lead to “${status.name}”.`, current)
}

const changeColor: Handler<typeof leads.changeColor> = async ({ query: { id, color } }, context) => {
  const options = { summary: 'Priority changed', needs: 'lead_select_pripority' }
  return { message: 'Priority updated.', ...(await changeRow(context, id, { color }, options)) }
}

const changeFollowupDate: Handler<typeof leads.changeFollowupDate> = async (
  { query: { id, date } },
  context,
) => {
  const options = { summary: 'Follow-up date changed' }
  return {
    message: messages.dateChanged,
    ...(await changeRow(context, id, { followup_date: date }, options)),
  }
}

const findZone: Handler<typeof leadZone.find> = ({ query }, { viewer }) => {
  const { zone, from, place } = zoneOf(query) ?? {
    zone: viewer.zone ?? 'UTC',
    from: 'caller' as const,
    place: '',
  }
  return Promise.resolve({ data: { timezone: zone, from, place } })
}

export function leadsRoutes(app: App): void {
  app.records.register(leadKind)
  registerLeadLists(app)
  app.jobs.every('lead-counts', everyNight, () => compactCounts(app.db))
  implement(app, leads.list, listLeads)
  implement(app, leadBoard.show, showBoard)
  implement(app, leadSummary.show, showSummary)
  implement(app, leadColumnValues.list, async ({ query }, { db, viewer }) => ({
    data: await findColumnValues(db, query, viewer),
  }))
  implement(app, leads.options, (_input, { db, viewer }) => findOptions(db, viewer))
  implement(app, leadFilterValues.show, (_input, { db, viewer }) => findFilterValues(db, viewer))
  implement(app, leads.show, showLead)
  implement(app, leadZone.find, findZone)
  implement(app, leadOperations.presence, listPresence)
  implement(app, leads.create, addLead)
  implement(app, leads.update, updateLead)
  implement(app, leads.changeDemoRequestStatus, changeStatus)
  implement(app, leads.changeLeadStatus, changeStatusInRow)
  implement(app, leads.changeColor, changeColor)
  implement(app, leads.changeFollowupDate, changeFollowupDate)
}

const asRow = (lead: Lead): LeadRow => LeadRow.parse(lead)

function refuseRejection(status: number | undefined): void {
  const why = status === undefined ? undefined : whyNotSet(status)
  if (why) throw invalid('status', why)
}

/**
 * Checks the permission to set the priority, which is a field in the form but requires a separate permission.
 */
function demandPriority(viewer: Parameters<typeof can>[0]): void {
  if (!can(viewer, 'lead_select_pripority'))
    throw notAllowed('You don’t have permission to set a lead’s priority.')
}
