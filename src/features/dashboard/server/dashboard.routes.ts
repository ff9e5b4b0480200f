import { can, isAdminRole } from '#shared/access.ts'
import { plainDate } from '#shared/dates.ts'
import { dashboard } from '#features/dashboard/contract.ts'
import { findLastAudit, findLeadNumbers } from '#features/dashboard/server/dashboard.queries.ts'
import { implement, type App } from '#server/http/implement.ts'

export function dashboardRoutes(app: App): void {
  implement(app, dashboard.show, async ({ query }, { db, viewer, clock }) => {
    const today = query.today ?? plainDate(clock.now())
    const products = query.lead_for === undefined ? viewer.products : [query.lead_for]
    const [leads, audit] = await Promise.all([
      can(viewer, 'lead_list') ? findLeadNumbers(db, products, today) : undefined,
      isAdminRole(viewer.role_id) ? findLastAudit(db) : undefined,
    ])
    return { ...(leads ? { leads } : {}), ...(audit ? { audit } : {}) }
  })
}
