import { dashboard } from '#features/panel/dashboard/contract.ts'
import { findLastAudit } from '#features/panel/dashboard/server/dashboard.queries.ts'
import { implement, type App } from '#server/http/implement.ts'
import { findNames } from '#server/record/names.ts'

export function dashboardRoutes(app: App): void {
  let acts: ReadonlyMap<string, string> | undefined
  // Built on first use, when features registered later have added their endpoints.
  const actOf = (name: string) =>
    (acts ??= new Map(
      app.implemented.map(({ endpoint }) => [
        `${endpoint.method} ${endpoint.path}`,
        firstClause(endpoint.summary),
      ]),
    )).get(name)

  implement(app, dashboard.lastChanges, async (_input, { db, viewer }) => {
    const entries = await findLastAudit(db)
    const references = entries.map(({ target_type, target_id }) => ({ type: target_type, id: target_id }))
    const nameOf = await findNames(db, app.records.all(), references, viewer)
    const audit = entries.map(({ endpoint, target_type: type, target_id: id, ...entry }) => {
      const name = nameOf(type, id)
      return {
        ...entry,
        act: actOf(endpoint) ?? endpoint,
        target: name ?? (type === null || id === null ? null : `${type} ${id}`),
        record: name === undefined ? null : { type: type!, id: id! },
      }
    })
    return { audit }
  })
}

/**
 * Shortens a summary to its first clause: `Send a lead the prospecting email, optionally with questions.`
 * becomes `Send a lead the prospecting email`.
 */
const firstClause = (summary: string) => summary.replace(/[.,:;].*$/s, '')
