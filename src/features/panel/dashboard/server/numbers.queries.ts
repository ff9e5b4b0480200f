import { allows, type EndpointShape, type Viewer } from '#shared/endpoint.ts'
import type { PlainDate } from '#shared/dates.ts'
import { periodOf, type PeriodId } from '#shared/trend.ts'
import { postNumbers } from '#features/cms/articles/posts/numbers.contract.ts'
import { findPostNumbers } from '#features/cms/articles/posts/server/numbers.queries.ts'
import { leadNumbers } from '#features/crm/leads/numbers/contract.ts'
import { findLeadNumbers } from '#features/crm/leads/numbers/server/numbers.queries.ts'
import { organizationNumbers } from '#features/crm/organizations/numbers.contract.ts'
import { findOrganizationNumbers } from '#features/crm/organizations/server/numbers.queries.ts'
import { ticketNumbers } from '#features/crm/support/numbers.contract.ts'
import { findTicketNumbers } from '#features/crm/support/server/numbers.queries.ts'
import type { Numbers } from '#features/panel/dashboard/contract.ts'
import { taskNumbers } from '#features/tasks/tasks/numbers.contract.ts'
import type { DisciplineName } from '#features/tasks/tasks/rules.ts'
import { findTaskNumbers } from '#features/tasks/tasks/server/numbers.queries.ts'
import { findWorkload } from '#features/tasks/tasks/server/workload.queries.ts'
import { workload } from '#features/tasks/tasks/workload.contract.ts'
import type { Db } from '#server/db/db.ts'

interface Asked {
  product_id: number | undefined
  period: PeriodId
  today: PlainDate
  /** The server's date. */
  serverDay: PlainDate
}

/** Returns the numbers of all areas; an area whose own call the viewer isn't allowed to make is left out. */
export async function findNumbers(db: Db, asked: Asked, viewer: Viewer): Promise<Numbers> {
  const { product_id, today, serverDay } = asked
  const period = periodOf(asked.period, today)
  const products = product_id === undefined ? viewer.products : [product_id]
  const ofTasks = (discipline: DisciplineName) => () =>
    findTaskNumbers(db, { discipline, product_id, period }, viewer)
  const may = <Found>({ access }: EndpointShape, find: () => Promise<Found>): Promise<Found> | undefined =>
    allows(access, viewer, { params: {}, query: asked, body: {} }) ? find() : undefined
  const [leads, tickets, organizations, development, designer, load, posts] = await Promise.all([
    may(leadNumbers.show, () => findLeadNumbers(db, { products, period, viewer })),
    may(ticketNumbers.show, () => findTicketNumbers(db, viewer, period)),
    may(organizationNumbers.show, () => findOrganizationNumbers(db, viewer, period, serverDay)),
    may(taskNumbers.development, ofTasks('development')),
    may(taskNumbers.designer, ofTasks('designer')),
    may(workload.show, () => findWorkload(db, viewer, products, today)),
    may(postNumbers.show, () => findPostNumbers(db, { product_id, period }, viewer)),
  ])
  return { leads, tickets, organizations, development, designer, workload: load, posts }
}
