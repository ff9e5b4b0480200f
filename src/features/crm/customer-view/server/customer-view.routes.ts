import { can, mayOpen } from '#shared/access.ts'
import type { Viewer } from '#shared/endpoint.ts'
import type { CustomerUser } from '#features/crm/organizations/contract.ts'
import { findNames, getDetail } from '#features/crm/organizations/server/organizations.queries.ts'
import { customerView, mostFound, type FoundCustomer } from '#features/crm/customer-view/contract.ts'
import { findLastNotes } from '#features/crm/customer-view/server/last-notes.queries.ts'
import { findTicketsOfOrganization } from '#features/crm/support/server/support.queries.ts'
import { countOthers, findByText } from '#features/crm/users/server/users.queries.ts'
import type { App, Handler } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import { notAllowed, notFound } from '#server/http/errors.ts'

const lastMails = 10
const mostTickets = { open: 20, settled: 5 }
const lastNotes = 5
const firstUsers = 20

const searchCustomers: Handler<typeof customerView.search> = async ({ query: { q } }, { db, viewer }) => {
  demandGuard(viewer)
  if (q === '') return { data: [] }
  const organizations = can(viewer, 'all_organization_list')
    ? (await findNames(db, { search: q }, viewer, mostFound)).data
    : []
  const users = can(viewer, 'all_users_list') ? await findByText(db, q, viewer, mostFound) : []
  return {
    data: [
      ...organizations.map(({ id, name }): FoundCustomer => ({
        kind: 'organization',
        id,
        organization_id: id,
        name,
        detail: '',
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
  demandGuard(viewer)
  const keys = {
    organization: can(viewer, 'all_organization_list'),
    users: can(viewer, 'all_users_list'),
    onboardings: can(viewer, 'onboarding_list'),
    tickets: can(viewer, 'all_tickets_list'),
  }
  // Without any of these permissions, the viewer cannot see anything, not even the name.
  if (!Object.values(keys).some(Boolean)) throw notFound('Organization not found.')
  const asked = keys.users ? (query.user ?? 0) : 0
  const detail = await getDetail(db, id, asked, viewer, clock.now())
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
}

function demandGuard({ role_id }: Viewer): void {
  if (!mayOpen(role_id, '/customer-view')) throw notAllowed()
}
