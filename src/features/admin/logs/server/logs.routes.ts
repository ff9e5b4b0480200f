import { logs } from '#features/admin/logs/contract.ts'
import { allAudit, findAudit, findSignIns } from '#features/admin/logs/server/logs.queries.ts'
import { implement, type App } from '#server/http/implement.ts'
import { replyCsv } from '#server/record/list.ts'
import { findNames } from '#server/record/names.ts'

/** Registers the endpoints for the sign-in log and the audit log, both of which are append-only. */
export function logRoutes(app: App): void {
  implement(app, logs.signIns, ({ query }, { db }) => findSignIns(db, query))
  implement(app, logs.audit, async ({ query }, { db, viewer }) => {
    const kinds = app.records.all()
    const { data, ...page } = await findAudit(db, query, kinds, viewer)
    const nameOf = await findNames(
      db,
      kinds,
      data.map(({ area, record }) => ({ type: area, id: record })),
      viewer,
    )
    return { ...page, data: data.map((row) => ({ ...row, name: nameOf(row.area, row.record) ?? null })) }
  })
  implement(app, logs.export, async ({ query }, { db, viewer, reply }) =>
    replyCsv(app.pool, reply, 'admin-log.csv', await allAudit(db, query, app.records.all(), viewer), {
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
