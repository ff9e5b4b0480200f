import { useDeferredValue, useState } from 'react'
import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import { dayText } from '#shared/dates.ts'
import { customerView, type CustomerSheet } from '#features/crm/customer-view/contract.ts'
import classes from '#features/crm/customer-view/web/customer-view.module.css'
import { tickets } from '#features/crm/support/contract.ts'
import { organizationStatuses } from '#features/crm/organizations/fields.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'
import { EmptyState, Loaded } from '#web/list/states.tsx'
import { useLists } from '#web/filter/useOptions.ts'
import { useChanged } from '#web/live.ts'
import { Moment } from '#web/Moment.tsx'
import { PageLink } from '#web/parts/PageLink.tsx'
import { PageHeader } from '#web/parts/PageHeader.tsx'
import { today } from '#web/time.ts'

/**
 * Page for looking up a customer by name, email address, or number during a phone call; shows everything on a
 * single sheet.
 */
export function CustomerViewPage() {
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState<number>()
  const q = useDeferredValue(typed.trim())
  const may = useMay(customerView.search)
  const found = useQuery({
    ...queryOptionsFor(customerView.search, { query: { q } }),
    enabled: may && q.length > 1,
  })
  return (
    <>
      <PageHeader>
        <TextInput
          type="search"
          aria-label="Search customers"
          placeholder="Name, email, or phone"
          leftSection={<IconSearch size={14} aria-hidden />}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </PageHeader>
      <div className={classes.page}>
        <section className={classes.found} aria-label="Search results">
          {q.length < 2 ? (
            <p>Type at least two characters.</p>
          ) : (
            <Loaded query={found} skeleton={<p role="status">Searching…</p>}>
              {({ data }) =>
                data.length === 0 ? (
                  <EmptyState title="No results" />
                ) : (
                  <ul>
                    {data.map((one, index) => (
                      <li key={index}>
                        <button
                          type="button"
                          aria-pressed={chosen === one.organization_id}
                          onClick={() => setChosen(one.organization_id)}
                        >
                          <span>{one.name}</span>
                          <span className={classes.soft}>
                            {one.kind === 'organization' ? 'Organization' : one.detail}
                          </span>
                        </button>
                      </li>
                    ))}
                  </ul>
                )
              }
            </Loaded>
          )}
        </section>
        {chosen !== undefined && <Sheet id={chosen} />}
      </div>
    </>
  )
}

function Sheet({ id }: { id: number }) {
  const sheet = useQuery(queryOptionsFor(customerView.show, { params: { id } }))
  useChanged('organization', [customerView.show])
  useChanged('customer_user', [customerView.show])
  useChanged('ticket', [customerView.show])
  return (
    <section className={classes.sheet} aria-label="Customer">
      <Loaded query={sheet} skeleton={<p role="status">Loading…</p>}>
        {({ data }) => <Parts sheet={data} />}
      </Loaded>
    </section>
  )
}

function Parts({
  sheet: { name, organization, users, onboardings, tickets, mails },
}: {
  sheet: CustomerSheet
}) {
  return (
    <>
      <h2>{name}</h2>
      {organization && <OrganizationFacts organization={organization} />}
      {users && (
        <>
          <h3>Users</h3>
          <ul>
            {users.map((one) => (
              <li key={one.id}>
                {one.name} ({one.is_master ? `${one.role}, master user` : one.role}
                {one.banned && ', banned'}){' '}
                <span className={classes.soft}>{[one.email, one.phone].filter(Boolean).join(' · ')}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      {onboardings && onboardings.length > 0 && (
        <>
          <h3>Onboarding</h3>
          <ul>
            {onboardings.map((one) => (
              <li key={one.id}>
                {one.stage}
                {one.next_expected_date && `, next expected ${dayText(one.next_expected_date)}`}
              </li>
            ))}
          </ul>
        </>
      )}
      {tickets && tickets.length > 0 && (
        <>
          <h3>Open tickets</h3>
          <Tickets own={tickets} />
        </>
      )}
      {mails && mails.length > 0 && (
        <>
          <h3>Recent emails</h3>
          <ul>
            {mails.map((one) => (
              <li key={one.id}>
                {one.subject}{' '}
                <span className={classes.soft}>
                  {one.who}, <Moment at={one.created_at} />
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}

function OrganizationFacts({ organization }: { organization: NonNullable<CustomerSheet['organization']> }) {
  return (
    <dl>
      <dt>Status</dt>
      <dd>{organizationStatuses[organization.status as keyof typeof organizationStatuses]}</dd>
      {organization.trial_end_date && (
        <>
          <dt>{organization.trial_end_date < today() ? 'Trial ended' : 'Trial end date'}</dt>
          <dd>{dayText(organization.trial_end_date)}</dd>
        </>
      )}
      <dt>Location</dt>
      <dd>{[organization.state, organization.country, organization.timezone].filter(Boolean).join(', ')}</dd>
      <dt>Account owner</dt>
      <dd>{organization.assigned_name ?? 'Unassigned'}</dd>
    </dl>
  )
}

function Tickets({ own }: { own: NonNullable<CustomerSheet['tickets']> }) {
  const { ticket_statuses } = useLists('ticket_statuses')
  const mayOpenTickets = useMay(tickets.show, { params: { id: 1 } })
  return (
    <ul>
      {own.map((one) => (
        <li key={one.id}>
          {mayOpenTickets ? (
            <PageLink to={`/support/ticket/${one.id}/${one.org_id}`}>{one.title}</PageLink>
          ) : (
            one.title
          )}{' '}
          <span className={classes.soft}>
            {[ticket_statuses.find(({ id }) => id === one.status)?.name, one.requester]
              .filter(Boolean)
              .join(', ')}
            , <Moment at={one.last_message_at} />
          </span>
        </li>
      ))}
    </ul>
  )
}
