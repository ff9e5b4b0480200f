import type { Viewer } from '#shared/endpoint.ts'
import { logs } from '#features/admin/logs/contract.ts'
import { allAudit, findAudit, findEntry, type Reading } from '#features/admin/logs/server/audit.queries.ts'
import { findSignIns } from '#features/admin/logs/server/logs.queries.ts'
import type { App } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import { replyCsv } from '#server/record/list.ts'
import { engineOf } from '#server/record/undo.ts'

/** Registers the endpoints for the sign-in log and the audit log, both of which are append-only. */
export function logRoutes(app: App): void {
  const { accessOf } = engineOf(app)
  const reading = (viewer: Viewer): Reading => ({
    viewer,
    kinds: app.records.all(),
    optionLists: app.optionLists,
    mail: app.mail.access,
  })
  implement(app, logs.signIns, ({ query }, { db }) => findSignIns(db, query))
  implement(app, logs.audit, ({ query }, { db, viewer }) => findAudit(db, query, reading(viewer)))
  implement(app, logs.entry, async ({ params: { id } }, { db, viewer }) => ({
    data: await findEntry(db, id, { ...reading(viewer), accessOf }),
  }))
  implement(app, logs.export, async ({ query }, { db, viewer, reply }) =>
    replyCsv(app.pool, reply, 'admin-log.csv', await allAudit(db, query, reading(viewer)), {
      Number: (row) => row.id,
      When: (row) => row.at,
      Who: (row) => row.who,
      What: (row) => row.act || row.endpoint,
      Area: (row) => row.area,
      Record: (row) => row.record,
      Changes: (row) => JSON.stringify(row.changes),
      Address: (row) => row.address,
    }),
  )
}
