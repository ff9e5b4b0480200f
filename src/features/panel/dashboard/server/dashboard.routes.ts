import { can, isAdminRole } from '#shared/access.ts'
import { plainDate } from '#shared/dates.ts'
import { dashboard } from '#features/panel/dashboard/contract.ts'
import { findLastAudit, findLeadNumbers } from '#features/panel/dashboard/server/dashboard.queries.ts'
import { implement, type App } from '#server/http/implement.ts'

export function dashboardRoutes(app: App): void {
  let acts: ReadonlyMap<string, string> | undefined
  // Made late: the features after this one have said by then what they implement.
  const actOf = (name: string) =>
    (acts ??= new Map(app.implemented.map(({ endpoint }) => [`${endpoint.method} ${endpoint.path}`, inBrief(endpoint.summary)]))).get(name)

  implement(app, dashboard.show, async ({ query }, { db, viewer, clock }) => {
    const today = query.today ?? plainDate(clock.now())
    const products = query.lead_for === undefined ? viewer.products : [query.lead_for]
    const [leads, entries] = await Promise.all([
      can(viewer, 'lead_list') ? findLeadNumbers(db, products, today) : undefined,
      isAdminRole(viewer.role_id) ? findLastAudit(db, can(viewer, 'lead_detail') ? viewer.products : []) : undefined,
    ])
    const audit = entries?.map(({ endpoint, ...entry }) => ({ ...entry, act: actOf(endpoint) ?? endpoint }))
    return { ...(leads ? { leads } : {}), ...(audit ? { audit } : {}) }
  })
}

/** `Changes a profile`, of `Changes a profile: the own one, or anybody's.` */
const inBrief = (summary: string) => summary.replace(/[.,:;].*$/s, '')
