import { dashboard } from '#features/panel/dashboard/contract.ts'
import { findLastAudit } from '#features/panel/dashboard/server/dashboard.queries.ts'
import type { App } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import { findNames } from '#server/record/names.ts'

export function dashboardRoutes(app: App): void {
  implement(app, dashboard.lastChanges, async (_input, { db, viewer }) => {
    const kinds = app.records.all()
    const entries = await findLastAudit(db, { viewer, kinds, mail: app.mail.access })
    const references = entries.map(({ target_type, target_id }) => ({ type: target_type, id: target_id }))
    const nameOf = await findNames(db, kinds, references, viewer)
    const audit = entries.map(({ target_type: type, target_id: id, ...entry }) => {
      const name = nameOf(type, id)
      return {
        ...entry,
        target: name ?? (type === null || id === null ? null : `${type} ${id}`),
        record: name === undefined ? null : { type: type!, id: id! },
      }
    })
    return { audit }
  })
}
