import { useQuery } from '@tanstack/react-query'
import { customerView } from '#features/crm/customer-view/contract.ts'
import { minutesText } from '#features/crm/customer-view/rules.ts'
import classes from '#features/crm/customer-view/web/customer-view.module.css'
import type { CustomerAddress } from '#features/crm/customer-view/web/useCustomerAddress.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'
import { Initials } from '#web/Avatar.tsx'
import { Moment } from '#web/Moment.tsx'
import { PageLink } from '#web/parts/PageLink.tsx'
import { Soft } from '#web/parts/Soft.tsx'

/** The viewer's last calls, for a caller who calls again. */
export function RecentCalls({ address }: { address: CustomerAddress }) {
  const may = useMay(customerView.calls)
  const calls = useQuery({ ...queryOptionsFor(customerView.calls), enabled: may }).data?.data ?? []
  if (calls.length === 0) return null
  return (
    <>
      <h2>Recent calls</h2>
      <ul aria-label="Recent calls">
        {calls.map(({ id, organization_id, organization, user_id, user, started_at, seconds }) => (
          <li key={id}>
            <PageLink to={address.addressOf(organization_id, user_id ?? undefined)} className={classes.hit}>
              <Initials name={user ?? organization} size={28} />
              <strong>{user ?? organization}</strong>
              <Soft as="span" small>
                {user && `${organization} · `}
                <Moment at={started_at} /> · {minutesText(seconds)}
              </Soft>
            </PageLink>
          </li>
        ))}
      </ul>
    </>
  )
}
