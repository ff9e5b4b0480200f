import { can, mayOpen } from '#shared/access.ts'
import type { Viewer } from '#shared/endpoint.ts'
import { findNames, getDetail } from '#features/crm/organizations/server/organizations.queries.ts'
import { customerView, type FoundCustomer } from '#features/crm/customer-view/contract.ts'
import { findOpenTickets } from '#features/crm/support/server/support.queries.ts'
import { findByText } from '#features/crm/users/server/users.queries.ts'
import { implement, type App } from '#server/http/implement.ts'
import { notAllowed, notFound } from '#server/http/errors.ts'

const maxPerKind = 10
const lastMails = 10
const openTickets = 20

export function customerViewRoutes(app: App): void {
  implement(app, customerView.search, async ({ query: { q } }, { db, viewer }) => {
    demandGuard(viewer)
    if (q === '') return { data: [] }
    const organizations = can(viewer, 'all_organization_list')
      ? (await findNames(db, { search: q }, viewer, maxPerKind)).data
      : []
    const users = can(viewer, 'all_users_list') ? await findByText(db, q, viewer, maxPerKind) : []
    return {
      data: [
        ...organizations.map(({ id, name }): FoundCustomer => ({
          kind: 'organization',
          organization_id: id,
          name,
          detail: '',
        })),
        ...users.map(({ organization_id, name, organization, email, phone }): FoundCustomer => {
          return {
            kind: 'user',
            organization_id,
            name,
            detail: [organization, email, phone].filter(Boolean).join(' · '),
          }
        }),
      ],
    }
  })

  implement(app, customerView.show, async ({ params: { id } }, { db, viewer, clock }) => {
    demandGuard(viewer)
    const keys = {
      organization: can(viewer, 'all_organization_list'),
      users: can(viewer, 'all_users_list'),
      onboardings: can(viewer, 'onboarding_list'),
      tickets: can(viewer, 'all_tickets_list'),
    }
    // Without any of these permissions, the viewer cannot see anything, not even the name.
    if (!Object.values(keys).some(Boolean)) throw notFound('Organization not found.')
    const { organization, users, onboardings, mails, today } = await getDetail(db, id, 0, viewer, clock.now())
    const { status, trial_end_date, timezone, state, country, assigned_name } = organization
    return {
      data: {
        id,
        name: organization.name,
        organization: keys.organization
          ? { status, trial_end_date, timezone, state, country, assigned_name, today }
          : null,
        users: keys.users
          ? users.map((one) => ({
              id: one.id,
              name: `${one.first_name} ${one.last_name}`.trim(),
              email: one.email,
              phone: one.phone,
              role: one.role,
              is_master: one.is_master,
              banned: one.banned,
            }))
          : null,
        onboardings: keys.onboardings ? onboardings : null,
        tickets: keys.tickets ? await findOpenTickets(db, id, viewer, openTickets) : null,
        mails: keys.organization ? mails.slice(0, lastMails) : null,
        updated_at: organization.updated_at,
      },
    }
  })
}

function demandGuard({ role_id }: Viewer): void {
  if (!mayOpen(role_id, '/customer-view')) throw notAllowed()
}
