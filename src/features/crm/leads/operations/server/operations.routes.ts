import { sql } from 'kysely'
import { can } from '#shared/access.ts'
import { plainDate } from '#shared/dates.ts'
import { leadOperations } from '#features/crm/leads/operations/contract.ts'
import { mayUndo, mostAtOnce, whyNotUndo } from '#features/crm/leads/operations/rules.ts'
import { changeLeads, findChosen, nameChange, runOperation } from '#features/crm/leads/operations/server/bulk.ts'
import { audited } from '#features/crm/leads/operations/server/lead-changes.ts'
import {
  beginOperation,
  beginUndo,
  dropOperation,
  findChangedSince,
  findOperations,
  getOperation,
  getReference,
  lockOperation,
  touchesOthers,
  undoPiece,
} from '#features/crm/leads/operations/server/operations.queries.ts'
import { conflict, notAllowed, notFound } from '#server/http/errors.ts'
import { implement, type App } from '#server/http/implement.ts'

const queue = 'lead-operation'

export function leadOperationRoutes(app: App): void {
  app.live.allowRecords('lead-operations', (viewer) =>
    (['lead_edit', 'lead_reject', 'lead_select_pripority', 'lead_create'] as const).some((right) => can(viewer, right)),
  )

  app.jobs.on(queue, ({ id }: { id: number }) =>
    runOperation(app.db, id, ({ staff_id, lead_ids }) => {
      app.live.changed('lead-operations', [id], staff_id)
      if (lead_ids.length) app.live.changed('leads', lead_ids, staff_id)
    }),
  )

  implement(app, leadOperations.change, async ({ body: { selection, change } }, { db, viewer, clock, record, changed }) => {
    const summary = await nameChange(db, change)
    const ids = await findChosen(db, selection, viewer, plainDate(clock.now()))
    if (ids.length > mostAtOnce) {
      const id = await beginOperation(db, { kind: change.kind, staff_id: viewer.id, summary, background: { todo: ids, change } })
      await app.jobs.send(db, queue, { id })
      record({ target: 'lead-operation', id, after: { summary, leads: ids.length } })
      changed('lead-operations', [id])
      const operation = { id, summary: `${summary}: ${ids.length.toLocaleString('en-US')} leads` }
      return { message: 'This goes on in the background; you can leave this page.', operation, running: true, changed: 0, unchanged: 0, missing: 0 }
    }
    const id = await beginOperation(db, { kind: change.kind, staff_id: viewer.id, summary })
    const { changes, found } = await changeLeads(db, id, ids, change, viewer)
    if (!found) throw notFound('Lead')
    const missing = ids.length - found
    const unchanged = found - changes.length
    if (!changes.length) {
      await dropOperation(db, id)
      return { message: 'Nothing to change: it is so already.', operation: null, running: false, changed: 0, unchanged, missing }
    }
    for (const one of changes) record(audited(one))
    changed(
      'leads',
      changes.map(({ lead_id }) => lead_id),
    )
    changed('lead-operations', [id])
    const operation = await getReference(db, id)
    return { message: `${operation.summary}.`, operation, running: false, changed: changes.length, unchanged, missing }
  })

  implement(app, leadOperations.list, ({ query }, { db, viewer }) => findOperations(db, viewer, query.page))

  implement(app, leadOperations.show, async ({ params }, { db, viewer }) => {
    const data = await getOperation(db, params.id, viewer)
    const { data: changed_since, total } = await findChangedSince(db, data, viewer)
    return { data, changed_since, changed_since_total: total }
  })

  implement(app, leadOperations.undo, async ({ body: { id } }, { db, viewer, record, changed }) => {
    const operation = await lockOperation(db, id, viewer)
    if (!mayUndo(operation, viewer)) throw notAllowed()
    const why = whyNotUndo(operation)
    if (why) throw conflict(why, operation)
    if (await touchesOthers(db, id, viewer.products)) throw notAllowed('This touched leads of a product that is not assigned to you.')
    changed('lead-operations', [id])
    if (operation.changed > mostAtOnce) {
      await beginUndo(db, id, viewer.id, 'undoing')
      await app.jobs.send(db, queue, { id })
      record({ target: 'lead-operation', id, before: { state: operation.state }, after: { state: 'undoing' } })
      return { message: 'This is being undone in the background; you can leave this page.', running: true, undone: 0, skipped: [] }
    }
    await sql`set local statement_timeout = '30s'`.execute(db)
    const changes = (await undoPiece(db, id, viewer.id, mostAtOnce)) ?? []
    await beginUndo(db, id, viewer.id, 'undone')
    for (const change of changes) record(change)
    record({ target: 'lead-operation', id, before: { state: operation.state }, after: { state: 'undone' } })
    if (changes.length)
      changed(
        'leads',
        changes.map((change) => change.id),
      )
    const { data: skipped, total, barred } = await findChangedSince(db, { id, state: 'undone' }, viewer)
    const since = total === barred ? '' : ` ${total - barred === 1 ? 'One was' : `${total - barred} were`} changed since and left alone.`
    const left = `${since}${barred === 0 ? '' : ` ${barred === 1 ? 'One' : barred} cannot be put back.`}`
    return {
      message: `Undone: ${changes.length === 1 ? '1 lead' : `${changes.length.toLocaleString('en-US')} leads`} restored.${left}`,
      running: false,
      undone: changes.length,
      skipped,
    }
  })
}
