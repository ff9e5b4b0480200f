import { can, mayOpen } from '#shared/access.ts'
import type { Viewer } from '#shared/endpoint.ts'
import type { CustomerUser } from '#features/crm/organizations/contract.ts'
import {
  findNames,
  getDetail,
  organizationKind,
} from '#features/crm/organizations/server/organizations.queries.ts'
import { customerView, mostFound, type FoundCustomer } from '#features/crm/customer-view/contract.ts'
import { minutesText } from '#features/crm/customer-view/rules.ts'
import { findCalls, insertCall, partsOfCalls } from '#features/crm/customer-view/server/calls.queries.ts'
import { describeOrganizations } from '#features/crm/customer-view/server/found.queries.ts'
import { findLastNotes } from '#features/crm/customer-view/server/last-notes.queries.ts'
import { findTicketsOfOrganization } from '#features/crm/support/server/support.queries.ts'
import { countOthers, findByText } from '#features/crm/users/server/users.queries.ts'
import type { App, Handler } from '#server/app.ts'
import type { Db } from '#server/db/db.ts'
import { implement } from '#server/http/implement.ts'
import { notAllowed, notFound } from '#server/http/errors.ts'
import { asOperation } from '#server/record/as-operation.ts'

const lastMails = 10
const mostTickets = { open: 20, settled: 5 }
const lastNotes = 5
const lastCalls = 10
const firstUsers = 20

const searchCustomers: Handler<typeof customerView.search> = async ({ query: { q } }, { db, viewer }) => {
  demandGuard(viewer)
  if (q === '') return { data: [] }
  const organizations = can(viewer, 'all_organization_list')
    ? (await findNames(db, { search: q }, viewer, mostFound)).data
    : []
  const detailOf = await describeOrganizations(
    db,
    organizations.map(({ id }) => id),
  )
  const users = can(viewer, 'all_users_list') ? await findByText(db, q, viewer, mostFound) : []
  return {
    data: [
      ...organizations.map(({ id, name }): FoundCustomer => ({
        kind: 'organization',
        id,
        organization_id: id,
        name,
        detail: detailOf.get(id) ?? '',
      })),
      ...users.map(({ id, organization_id, name, organization, email, phone }): FoundCustomer => ({
        kind: 'user',
        id,
        organization_id,
        name,
        detail: [phone, organization, email].filter(Boolean).join(' · '),
      })),
    ],
  }
}

const showCustomer: Handler<typeof customerView.show> = async (
  { params: { id }, query },
  { db, viewer, clock },
) => {
  const { keys, detail } = await getCustomer(db, id, query.user, viewer, clock.now())
  const { organization, onboardings, mails, today, user } = detail
  const { status, trial_end_date, timezone, state, country, assigned_name } = organization
  const noTickets = { tickets: null, settled_tickets: null, ticket_count: null }
  return {
    data: {
      id,
      name: organization.name,
      organization: keys.organization
        ? { status, trial_end_date, timezone, state, country, assigned_name, today }
        : null,
      user: user && userOf(user),
      users: keys.users ? detail.users.slice(0, firstUsers).map(userOf) : null,
      user_count: keys.users ? await countOthers(db, { id: 0, organization_id: id }) : null,
      onboardings: keys.onboardings ? onboardings : null,
      ...(keys.tickets ? await findTicketsOfOrganization(db, id, viewer, mostTickets) : noTickets),
      notes: keys.organization || keys.users ? await findLastNotes(db, id, keys, lastNotes) : null,
      mails: keys.organization ? mails.slice(0, lastMails) : null,
      updated_at: organization.updated_at,
    },
  }
}

const showCalls: Handler<typeof customerView.calls> = async (_input, { db, viewer }) => {
  demandGuard(viewer)
  const keys = keysOf(viewer)
  return { data: Object.values(keys).some(Boolean) ? await findCalls(db, viewer, keys, lastCalls) : [] }
}

const logCall: Handler<typeof customerView.logCall> = async (
  { params: { id }, body: { user, seconds } },
  context,
) => {
  const { db, viewer, clock, audit } = context
  const now = clock.now()
  const { detail } = await getCustomer(db, id, user, viewer, now)
  const started_at = new Date(now.getTime() - seconds * 1000).toISOString()
  const customer_user_id = detail.user?.id ?? null
  const caller = detail.user ? userOf(detail.user).name : detail.organization.name
  const { operation } = await asOperation(
    context,
    organizationKind,
    id,
    { summary: 'Call logged', parts: [partsOfCalls(id, viewer)] },
    () => insertCall(db, { staff_id: viewer.id, organization_id: id, customer_user_id, started_at, seconds }),
  )
  audit({ target: 'organization', id, after: { call: minutesText(seconds) } })
  return { message: `Call with ${caller} logged: ${minutesText(seconds)}.`, operation }
}

/** The areas whose parts of a customer the viewer can see. */
const keysOf = (viewer: Viewer) => ({
  organization: can(viewer, 'all_organization_list'),
  users: can(viewer, 'all_users_list'),
  onboardings: can(viewer, 'onboarding_list'),
  tickets: can(viewer, 'all_tickets_list'),
})

/**
 * Returns an organization and, if the viewer can see users, one of them.
 * @throws HttpError 403 or 404
 */
async function getCustomer(db: Db, id: number, user: number | undefined, viewer: Viewer, now: Date) {
  demandGuard(viewer)
  const keys = keysOf(viewer)
  // Without any of these permissions, the viewer cannot see anything, not even the name.
  if (!Object.values(keys).some(Boolean)) throw notFound('Organization not found.')
  return { keys, detail: await getDetail(db, id, keys.users ? (user ?? 0) : 0, viewer, now) }
}

const userOf = ({
  id,
  first_name,
  last_name,
  email,
  phone,
  role,
  is_master,
  status,
  banned,
}: CustomerUser) => ({
  id,
  name: `${first_name} ${last_name}`.trim(),
  email,
  phone,
  role,
  is_master,
  status,
  banned,
})

export function customerViewRoutes(app: App): void {
  implement(app, customerView.search, searchCustomers)
  implement(app, customerView.show, showCustomer)
  implement(app, customerView.calls, showCalls)
  implement(app, customerView.logCall, logCall)
}

function demandGuard({ role_id }: Viewer): void {
  if (!mayOpen(role_id, '/customer-view')) throw notAllowed()
}
