import { useQuery } from '@tanstack/react-query'
import IconMail from '@tabler/icons-react/dist/esm/icons/IconMail.mjs'
import IconNote from '@tabler/icons-react/dist/esm/icons/IconNote.mjs'
import { can, mayOpen } from '#shared/access.ts'
import { customerView, type CustomerSheet } from '#features/crm/customer-view/contract.ts'
import { statusInWords } from '#features/crm/customer-view/rules.ts'
import classes from '#features/crm/customer-view/web/customer-view.module.css'
import { customerAddress } from '#features/crm/customer-view/web/useCustomerAddress.ts'
import { tickets } from '#features/crm/support/contract.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { Loaded, LoadingState } from '#web/list/states.tsx'
import { LocalTime } from '#web/LocalTime.tsx'
import { Moment } from '#web/Moment.tsx'
import { PageLink } from '#web/parts/PageLink.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { Tone } from '#web/parts/Tone.tsx'
import { useViewer } from '#web/session.ts'
import type { RecordPanel } from '#web/shell/recordPanels.tsx'
import { RailSection } from '#web/sheet/RailSection.tsx'

const mostOfEach = 2

/** Whether a viewer can see anything about the customer that the ticket doesn't say. */
const maySeeCustomers = (viewer: ReturnType<typeof useViewer>) =>
  viewer !== undefined &&
  mayOpen(viewer.role_id, '/customer-view') &&
  (can(viewer, 'all_organization_list') || can(viewer, 'all_users_list'))

/** A ticket's customer beside the ticket: status and trial, local time, last notes, and last emails. */
const CustomerOfTicket: RecordPanel = ({ id }) => {
  const viewer = useViewer()
  const ticket = useQuery({ ...queryOptionsFor(tickets.show, { params: { id } }), staleTime: Infinity }).data
    ?.data
  const query = ticket?.user_id ? { user: ticket.user_id } : {}
  const customer = useQuery({
    ...queryOptionsFor(customerView.show, { params: { id: ticket?.org_id ?? 0 }, query }),
    enabled: !!ticket?.org_id && maySeeCustomers(viewer),
  })
  if (!customer.isEnabled) return null
  const address = customerAddress(ticket?.org_id ?? 0, ticket?.user_id || undefined)
  const open = <PageLink to={address}>Customer view</PageLink>
  return (
    <RailSection title="Organization" action={open}>
      <Loaded query={customer} what="The organization" skeleton={<LoadingState rows={2} />}>
        {({ data }) => (
          <>
            <Overview sheet={data} />
            <LastWords sheet={data} />
          </>
        )}
      </Loaded>
    </RailSection>
  )
}
export default CustomerOfTicket

function Overview({ sheet: { organization, user_count } }: { sheet: CustomerSheet }) {
  if (!organization) return null
  const { timezone, state, country, assigned_name } = organization
  const { name, tone, trial } = statusInWords(organization)
  const users = user_count !== null && (user_count === 1 ? '1 user' : `${user_count} users`)
  return (
    <>
      <p className={classes.line}>
        <Tone tone={tone}>{name}</Tone>
        {trial && <Soft as="span">{trial}</Soft>}
      </p>
      <Soft small>{[users, state, country].filter(Boolean).join(' · ')}</Soft>
      <Soft small>
        <LocalTime zone={timezone} />
      </Soft>
      <Soft small>Account owner: {assigned_name ?? 'Unassigned'}</Soft>
    </>
  )
}

/** The last notes about the customer and the last emails to it. */
const LastWords = ({ sheet: { notes, mails } }: { sheet: CustomerSheet }) => (
  <ul className={classes.lastWords}>
    {notes?.slice(0, mostOfEach).map(({ id, body, who, created_at }) => (
      <li key={`note-${id}`}>
        <IconNote size={14} stroke={1.5} aria-label="Note" />
        <span>
          <span className={classes.lastNote}>{body}</span>
          <Soft small>
            {who}, <Moment at={created_at} />
          </Soft>
        </span>
      </li>
    ))}
    {mails?.slice(0, mostOfEach).map(({ id, subject, created_at }) => (
      <li key={`mail-${id}`}>
        <IconMail size={14} stroke={1.5} aria-label="Email" />
        <span>
          <span className={classes.lastNote}>{subject}</span>
          <Soft small>
            <Moment at={created_at} />
          </Soft>
        </span>
      </li>
    ))}
  </ul>
)
