import { capitalize } from '#shared/capitalize.ts'
import { mayCreateTicketFor, newTicketOfCaller } from '#shared/new-ticket.ts'
import { mostFound, type FoundCustomer } from '#features/crm/customer-view/contract.ts'
import classes from '#features/crm/customer-view/web/customer-view.module.css'
import {
  customerAddress,
  isCustomerAddress,
  type CustomerAddress,
} from '#features/crm/customer-view/web/useCustomerAddress.ts'
import { Initials } from '#web/Avatar.tsx'
import { EmptyState } from '#web/list/states.tsx'
import { useRecentRecords } from '#web/palette/recentRecords.ts'
import { Marked } from '#web/parts/Marked.tsx'
import { matchIn } from '#web/parts/matchIn.ts'
import { PageLink } from '#web/parts/PageLink.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { useViewer } from '#web/session.ts'

interface Props {
  hits: readonly FoundCustomer[]
  address: CustomerAddress
  onOpen: () => void
}

/** The customers that a search found: users first, because people call. */
export function Hits({ hits, ...rest }: Props) {
  const mayCreate = mayCreateTicketFor(useViewer())
  if (hits.length === 0)
    return (
      <EmptyState
        title="No results"
        action={
          mayCreate && (
            <PageLink to={newTicketOfCaller(rest.address.q)}>Create a ticket without a customer</PageLink>
          )
        }
      >
        Check the spelling, or search for a part of the name or number.
      </EmptyState>
    )
  const ofKind = (kind: FoundCustomer['kind']) => hits.filter((one) => one.kind === kind)
  return (
    <>
      <HitList title="Users" hits={ofKind('user')} {...rest} />
      <HitList title="Organizations" hits={ofKind('organization')} {...rest} />
    </>
  )
}

/** The customers that the viewer opened last, for the next call about the same thing. */
export function RecentCustomers({ address }: Pick<Props, 'address'>) {
  const recent = useRecentRecords().filter(({ to }) => isCustomerAddress(to))
  if (recent.length === 0) return null
  return (
    <>
      <h2>Recent</h2>
      <ul aria-label="Recent">
        {recent.map(({ id, label, detail, to }) => (
          <li key={id}>
            <PageLink
              to={to}
              className={classes.hit}
              aria-current={
                (address.organization !== undefined &&
                  to === customerAddress(address.organization, address.user)) ||
                undefined
              }
              data-hit
            >
              <Initials name={label} size={28} />
              <strong>{label}</strong>
              <Soft as="span" small>
                {capitalize(detail)}
              </Soft>
            </PageLink>
          </li>
        ))}
      </ul>
    </>
  )
}

function HitList({ title, hits, ...rest }: Props & { title: string }) {
  if (hits.length === 0) return null
  return (
    <>
      <h2>{title}</h2>
      <ul aria-label={title}>
        {hits.map((hit) => (
          <Hit key={hit.id} hit={hit} {...rest} />
        ))}
      </ul>
      {hits.length === mostFound && (
        <p className={classes.hint}>{`Showing the first ${mostFound}. Keep typing to narrow the results.`}</p>
      )}
    </>
  )
}

function Hit({ hit, address, onOpen }: Omit<Props, 'hits'> & { hit: FoundCustomer }) {
  const user = hit.kind === 'user' ? hit.id : undefined
  const isChosen = address.organization === hit.organization_id && address.user === user
  return (
    <li>
      <PageLink
        to={address.addressOf(hit.organization_id, user)}
        className={classes.hit}
        aria-current={isChosen || undefined}
        data-hit
        onClick={onOpen}
      >
        <Initials name={hit.name} size={28} />
        <strong>
          <Marked text={hit.name} search={address.q} />
        </strong>
        <Soft as="span" small>
          <Marked text={matchFirst(hit.detail, address.q)} search={address.q} />
        </Soft>
      </PageLink>
    </li>
  )
}

const separator = ' · '

/** Returns the details with the one that the search found first, because long ones are cut off. */
function matchFirst(detail: string, search: string): string {
  const parts = detail.split(separator)
  const found = parts.filter((part) => matchIn(part, search))
  return [...found, ...parts.filter((part) => !found.includes(part))].join(separator)
}
