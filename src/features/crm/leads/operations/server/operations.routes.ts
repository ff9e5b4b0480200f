import { plainDate } from '#shared/dates.ts'
import { leadOperations, rightOf, type BulkChange } from '#features/crm/leads/operations.contract.ts'
import { describeChange, findChosen } from '#features/crm/leads/operations/server/bulk.ts'
import {
  countChanges,
  countValues,
  readCustomValues,
  refuseOtherProducts,
} from '#features/crm/leads/operations/server/bulk-values.ts'
import { notifyAssignee } from '#features/crm/leads/record/server/assignee.queries.ts'
import { leadKind } from '#features/crm/leads/record/server/leads.queries.ts'
import type { App } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import { changeInBulk, inBackground } from '#server/record/batches.ts'
import { findOperation, findOperations } from '#server/record/operations.ts'
import { findRestorable, findSkipped } from '#server/record/reversible.ts'
import type { AfterBulk } from '#server/record/rows.ts'

export function leadOperationRoutes(app: App): void {
  const afterChange: AfterBulk = async (writing, { change, ids }) => {
    const done = change as BulkChange
    if (done.kind === 'assign') await notifyAssignee(app, writing, done.assign_to, ids)
  }
  app.records.onBulkChange(leadKind.type, afterChange)

  implement(
    app,
    leadOperations.currentValues,
    async ({ body: { selection, field, values } }, { db, viewer, clock }) => {
      const ids = await findChosen(db, selection, viewer, plainDate(clock.now()))
      return {
        ...(await countValues(db, ids, field, viewer)),
        changes: values ? await countChanges(db, ids, values, viewer) : null,
      }
    },
  )

  implement(app, leadOperations.change, async ({ body: { selection, change: given } }, context) => {
    const { db, viewer, clock, called } = context
    const { custom, change } = await readCustomValues(db, given, viewer)
    const summary = await describeChange(db, change, custom)
    const ids = await findChosen(db, selection, viewer, plainDate(clock.now()))
    await refuseOtherProducts(db, ids, custom, viewer)
    // The access depends on the change alone, so the selected IDs are not stored with the operation.
    const asked = { ...called, input: { params: {}, query: {}, body: { change } } }
    const done = await changeInBulk({ ...context, called: asked }, leadKind, ids, {
      change,
      summary,
      needs: rightOf[change.kind],
    })
    const { operation, running, unchanged } = done
    if (operation && !running)
      await afterChange(context, { operation_id: operation.id, change, ids: done.changed })
    const counts = { operation, running, changed: done.changed.length, unchanged }
    if (running) return { message: inBackground, ...counts, missing: 0 }
    return {
      message: operation
        ? `${operation.summary}.`
        : 'Nothing to change: the selected leads already have this value.',
      ...counts,
      missing: ids.length - done.found,
    }
  })

  implement(app, leadOperations.list, ({ query: { page } }, { db, viewer }) =>
    findOperations(db, viewer, app.records.all(), { page, type: leadKind.type }),
  )

  implement(app, leadOperations.show, async ({ params: { id } }, { db, viewer }) => {
    const data = await findOperation(db, viewer, app.records.all(), { id, type: leadKind.type })
    const { data: skipped, total } = await findSkipped(db, leadKind, data, viewer)
    return {
      data,
      changed_since: skipped.map(({ id: lead_id, name, ...rest }) => ({
        lead_id,
        companyName: name,
        ...rest,
      })),
      changed_since_total: total,
      ...(await findRestorable(db, leadKind, data)),
    }
  })
}
