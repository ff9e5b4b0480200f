import { can } from '#shared/access.ts'
import { plainDate } from '#shared/dates.ts'
import { leadOperations } from '#features/crm/leads/operations/contract.ts'
import { mostAtOnce } from '#features/crm/leads/operations/rules.ts'
import {
  changeLeads,
  findChosen,
  describeChange,
  runOperation,
} from '#features/crm/leads/operations/server/bulk.ts'
import { audited } from '#features/crm/leads/operations/server/lead-changes.ts'
import {
  beginOperation,
  dropOperation,
  findChangedSince,
  findOperations,
  findRestorable,
  getOperation,
  getReference,
} from '#features/crm/leads/operations/server/operations.queries.ts'
import { notFound } from '#server/http/errors.ts'
import { leadQueue } from '#features/crm/leads/operations/server/undo-redo.ts'
import { implement, type App } from '#server/http/implement.ts'

export function leadOperationRoutes(app: App): void {
  app.live.allowRecords('lead-operations', (viewer) =>
    (['lead_edit', 'lead_reject', 'lead_select_pripority', 'lead_create'] as const).some((right) =>
      can(viewer, right),
    ),
  )

  app.jobs.on(leadQueue, ({ id }: { id: number }) =>
    runOperation(app.db, id, ({ staff_id, lead_ids }) => {
      app.live.changed('lead-operations', [id], staff_id)
      if (lead_ids.length) app.live.changed('leads', lead_ids, staff_id)
    }),
  )

  implement(
    app,
    leadOperations.change,
    async ({ body: { selection, change } }, { db, viewer, clock, record, changed }) => {
      const summary = await describeChange(db, change)
      const ids = await findChosen(db, selection, viewer, plainDate(clock.now()))
      if (ids.length > mostAtOnce) {
        const id = await beginOperation(db, {
          kind: change.kind,
          staff_id: viewer.id,
          summary,
          background: { todo: ids, change },
        })
        await app.jobs.send(db, leadQueue, { id })
        record({ target: 'lead-operation', id, after: { summary, leads: ids.length } })
        changed('lead-operations', [id])
        const operation = { id, summary: `${summary}: ${ids.length.toLocaleString('en-US')} leads` }
        return {
          message: 'The change continues in the background. You can leave this page.',
          operation,
          running: true,
          changed: 0,
          unchanged: 0,
          missing: 0,
        }
      }
      const id = await beginOperation(db, { kind: change.kind, staff_id: viewer.id, summary })
      const { changes, found } = await changeLeads(db, id, ids, change, viewer)
      if (!found) throw notFound('Lead not found.')
      const missing = ids.length - found
      const unchanged = found - changes.length
      if (!changes.length) {
        await dropOperation(db, id)
        return {
          message: 'Nothing to change: the selected leads already have this value.',
          operation: null,
          running: false,
          changed: 0,
          unchanged,
          missing,
        }
      }
      for (const one of changes) record(audited(one))
      changed(
        'leads',
        changes.map(({ lead_id }) => lead_id),
      )
      changed('lead-operations', [id])
      const operation = await getReference(db, id)
      return {
        message: `${operation.summary}.`,
        operation,
        running: false,
        changed: changes.length,
        unchanged,
        missing,
      }
    },
  )

  implement(app, leadOperations.list, ({ query }, { db, viewer }) => findOperations(db, viewer, query.page))

  implement(app, leadOperations.show, async ({ params }, { db, viewer }) => {
    const data = await getOperation(db, params.id, viewer)
    const { data: changed_since, total } = await findChangedSince(db, data, viewer)
    return { data, changed_since, changed_since_total: total, ...(await findRestorable(db, data.id)) }
  })
}
