import { can, type Permission } from '#shared/access.ts'
import { plainDate } from '#shared/dates.ts'
import { LeadRow, leads, messages, type Lead } from '#features/crm/leads/contract.ts'
import { type OperationRef } from '#shared/record.contract.ts'
import { leadOperations } from '#features/crm/leads/operations/contract.ts'
import { rejectedStatus, whyNotReject, whyNotSet } from '#features/crm/leads/rules.ts'
import { findConflicts } from '#features/crm/leads/record/server/conflicts.ts'
import { findOptions } from '#features/crm/leads/record/server/choices.queries.ts'
import { compactCounts } from '#features/crm/leads/list/server/lead-counts.ts'
import { recordChanges, patchesOf } from '#features/crm/leads/operations/server/lead-changes.ts'
import { undoOrRedoLeadOperation } from '#features/crm/leads/operations/server/undo-redo.ts'
import type { LeadValues } from '#features/crm/leads/record/server/lead-columns.ts'
import {
  changeLead,
  createLead,
  differing,
  findLeadNotes,
  getLead,
  isVisible,
  leadKind,
  lockLead,
} from '#features/crm/leads/record/server/leads.queries.ts'
import { findLeads } from '#features/crm/leads/list/server/list.queries.ts'
import { beginOperation, getReference } from '#features/crm/leads/operations/server/operations.queries.ts'
import { conflict, HttpError, invalid, notAllowed } from '#server/http/errors.ts'
import { implement, type App, type WriteContext } from '#server/http/implement.ts'

const everyNight = '23 3 * * *'

export function leadsRoutes(app: App): void {
  app.live.allowRecords(
    'leads',
    (viewer) => can(viewer, 'lead_list') || can(viewer, 'lead_detail'),
    (ids) =>
      app.db
        .selectFrom('leads')
        .select(['lead_id as id', 'lead_for as product'])
        .where('lead_id', 'in', ids)
        .execute(),
  )
  app.live.allowPresence(
    'lead',
    async (id, viewer) => can(viewer, 'lead_detail') && isVisible(app.db, id, viewer),
  )

  app.records.register({ ...leadKind, undoOrRedoOperation: undoOrRedoLeadOperation(app.jobs) })

  app.jobs.every('lead-counts', everyNight, () => compactCounts(app.db))

  implement(app, leads.list, ({ query }, { viewer, clock }) =>
    findLeads(app.pool, query, viewer, query.today ?? plainDate(clock.now())),
  )

  implement(app, leads.options, (_input, { db, viewer }) => findOptions(db, viewer))

  implement(app, leads.show, async ({ query: { id } }, { db, viewer }) => {
    const [lead, notes] = await Promise.all([getLead(db, id, viewer), findLeadNotes(db, id)])
    return { data: { ...lead, notes } }
  })

  implement(app, leadOperations.presence, async ({ query }, { db, viewer }) => {
    const open = query.ids
      .map((lead_id) => ({ lead_id, people: app.live.peopleIn('lead', lead_id) }))
      .filter(({ people }) => people.length)
    const visible = await Promise.all(open.map(({ lead_id }) => isVisible(db, lead_id, viewer)))
    return { data: open.filter((_, index) => visible[index]) }
  })

  implement(app, leads.create, async ({ body }, { db, viewer, clock, record, changed }) => {
    refuseRejection(body.status)
    if (body.color !== undefined && body.color !== 0) demandPriority(viewer)
    const data = await createLead(
      db,
      { ...body, lead_date: body.lead_date ?? plainDate(clock.now()) },
      viewer,
    )
    record({ target: 'lead', id: data.lead_id, after: audited(data) })
    changed('leads', [data.lead_id])
    return { message: 'Lead created.', data }
  })

  implement(app, leads.update, async ({ body: { lead_id, version, base, ...values } }, context) => {
    const before = await lockLead(context.db, lead_id, context.viewer)
    if (version !== undefined && version !== before.version) {
      const clashes = findConflicts(before, values, base)
      if (!base || clashes.length)
        throw new HttpError(409, 'Someone else changed this lead after you opened it.', {
          current: before,
          clashes,
        })
    }
    if (values.status !== before.status) refuseRejection(values.status)
    if (values.color !== undefined && values.color !== before.color) demandPriority(context.viewer)
    const needs = 'color' in differing(before, values) ? 'lead_select_pripority' : 'lead_edit'
    return {
      message: 'Lead saved.',
      ...(await change(context, before, values, { summary: 'Edited', needs })),
    }
  })

  implement(app, leads.changeDemoRequestStatus, async ({ query: { id, status, reject_msg } }, context) => {
    if (status !== rejectedStatus && reject_msg)
      throw invalid('reject_msg', 'Send reject_msg only with the rejected status.')
    if (status === rejectedStatus && !reject_msg)
      throw invalid('reject_msg', 'Enter a reason for rejecting this lead.')
    const before = await lockLead(context.db, id, context.viewer)
    const why = status === rejectedStatus ? whyNotReject(before.status) : undefined
    if (why) throw conflict(why, before)
    const isRejection = status === rejectedStatus
    const { data, operation } = await change(
      context,
      before,
      reject_msg ? { status, reject_msg } : { status },
      isRejection
        ? { summary: 'Rejected', needs: 'lead_reject', kind: 'reject' }
        : { summary: 'Status changed' },
    )
    if (isRejection && operation) context.changed('lead-operations', [operation.id])
    return { message: isRejection ? 'Lead rejected.' : 'Status updated.', data: asRow(data), operation }
  })

  implement(app, leads.changeLeadStatus, async ({ query: { id, status } }, context) => {
    refuseRejection(status)
    const before = await lockLead(context.db, id, context.viewer)
    return toRowReply(
      'Status updated.',
      await change(context, before, { status }, { summary: 'Status changed' }),
    )
  })

  implement(app, leads.changeColor, async ({ query: { id, color } }, context) => {
    const before = await lockLead(context.db, id, context.viewer)
    return toRowReply(
      'Priority updated.',
      await change(
        context,
        before,
        { color },
        { summary: 'Priority changed', needs: 'lead_select_pripority' },
      ),
    )
  })

  implement(app, leads.changeFollowupDate, async ({ query: { id, date } }, context) => {
    const before = await lockLead(context.db, id, context.viewer)
    return toRowReply(
      messages.dateChanged,
      await change(context, before, { followup_date: date }, { summary: 'Follow-up date changed' }),
    )
  })
}

/**
 * Changes a locked lead, records the change in the audit log and as an operation that can be undone, and
 * notifies the browsers.
 */
async function change(
  {
    db,
    viewer,
    record,
    changed,
  }: Pick<WriteContext<typeof leads.update>, 'db' | 'viewer' | 'record' | 'changed'>,
  before: Lead,
  values: LeadValues,
  act: { summary: string; needs?: Permission; kind?: 'reject' } = { summary: 'Edited' },
): Promise<{ data: Lead; operation: OperationRef | null }> {
  const after = await changeLead(db, before, values, viewer)
  if (after === before) return { data: before, operation: null }
  record({ target: 'lead', id: before.lead_id, before: audited(before), after: audited(after) })
  changed('leads', [before.lead_id], before.lead_for === after.lead_for ? [] : [before.lead_for])
  const id = await beginOperation(db, { kind: 'edit', staff_id: viewer.id, ...act })
  await recordChanges(db, id, [
    {
      lead_id: before.lead_id,
      ...patchesOf(before, after),
      version_before: before.version,
      version_after: after.version,
    },
  ])
  return { data: after, operation: await getReference(db, id) }
}

/**
 * Returns the lead fields to audit, leaving out names that only repeat an ID and fields that the panel
 * maintains itself.
 */
const audited = ({
  lead_id: _id,
  assigned_name: _assigned,
  created_by_name: _creator,
  created_at: _created,
  updated_at: _updated,
  version: _version,
  ...fields
}: Lead) => fields

const asRow = (lead: Lead): LeadRow => LeadRow.parse(lead)
const toRowReply = (
  message: string,
  { data, operation }: { data: Lead; operation: OperationRef | null },
) => ({ message, data: asRow(data), operation })

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
