import { plainDate } from '#shared/dates.ts'
import { organizationNames } from '#shared/organizations.contract.ts'
import { organizations } from '#features/crm/organizations/contract.ts'
import {
  findNames,
  findPlaces,
  countDocuments,
  getDetail,
  organizationKind,
  organizationReads,
} from '#features/crm/organizations/server/organizations.queries.ts'
import { type Writing, changeOrganization } from '#features/crm/organizations/server/changes.ts'
import type { App, Handler } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import { countBelonging } from '#server/record/belonging.ts'
import { lockRecord } from '#server/record/record.ts'

const namesAtOnce = 1000

const namesPerPage = 100

const listOrganizations: Handler<typeof organizations.list> = ({ query }, { db, viewer, clock }) =>
  organizationReads.page(db, query, { ...viewer, today: plainDate(clock.now()) })

const exportOrganizations: Handler<typeof organizations.export> = (input, context) =>
  organizationReads.export(input, {
    ...context,
    viewer: { ...context.viewer, today: plainDate(context.clock.now()) },
  })

const listAllNames: Handler<typeof organizations.commonAll> = async ({ query }, { db, viewer }) => ({
  data: (await findNames(db, query, viewer, namesAtOnce)).data,
})

const listNames: Handler<typeof organizationNames> = ({ query }, { db, viewer }) =>
  findNames(db, query, viewer, namesPerPage, query.page)

const listStates: Handler<typeof organizations.states> = async (_input, { db, viewer }) => ({
  data: await findPlaces(db, 'state', viewer),
})

const listCountries: Handler<typeof organizations.countries> = async (_input, { db, viewer }) => ({
  countries: await findPlaces(db, 'country', viewer),
})

const showOrganization: Handler<typeof organizations.orgUser> = async ({ query }, { db, viewer, clock }) => ({
  data: await getDetail(db, query.org_id, query.user, viewer, clock.now()),
})

const updateOrganization: Handler<typeof organizations.update> = async (
  { params: { id }, body: { version, base, product_ids, ...values } },
  context,
) => {
  const products =
    product_ids === undefined
      ? {}
      : { product_ids: [...product_ids, ...(await foreignProducts(context, id))] }
  return changeOrganization(context, id, { ...values, ...products }, 'Organization saved.', undefined, {
    version,
    base,
  })
}

const storeVideo: Handler<typeof organizations.storeVideo> = ({ body: { org_id, ...video } }, context) =>
  changeOrganization(context, org_id, video, 'Video link has been uploaded successfully', 'Demo video added')

const updateVideo: Handler<typeof organizations.updateVideo> = ({ body: { id, ...video } }, context) =>
  changeOrganization(context, id, video, 'Video link has been uploaded successfully', 'Demo video changed')

const countUses: Handler<typeof organizations.used> = async ({ body: { ids } }, { app, db, viewer }) => ({
  data: await countBelonging(db, app.records.all(), 'organization', ids, viewer),
  documents: await countDocuments(db, ids, viewer),
})

export function organizationRoutes(app: App): void {
  app.records.register(organizationKind)
  implement(app, organizations.list, listOrganizations)
  implement(app, organizations.export, exportOrganizations)
  implement(app, organizations.commonAll, listAllNames)
  implement(app, organizationNames, listNames)
  implement(app, organizations.states, listStates)
  implement(app, organizations.countries, listCountries)
  implement(app, organizations.orgUser, showOrganization)
  implement(app, organizations.update, updateOrganization)
  implement(app, organizations.storeVideo, storeVideo)
  implement(app, organizations.updateVideo, updateVideo)
  implement(app, organizations.used, countUses)
}

/**
 * Returns an organization's products that the viewer doesn't have; these are kept regardless of the request.
 */
async function foreignProducts(
  { db, viewer }: Pick<Writing, 'db' | 'viewer'>,
  id: number,
): Promise<number[]> {
  const held = await lockRecord(db, organizationKind, id, viewer)
  return held.product_ids.filter((product) => !viewer.products.includes(product))
}
