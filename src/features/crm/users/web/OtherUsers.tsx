import { useQuery } from '@tanstack/react-query'
import { users, type UserDetail } from '#features/crm/users/contract.ts'
import { userAddress } from '#features/crm/users/web/userAddress.ts'
import classes from '#features/crm/users/web/users.module.css'
import { queryOptionsFor } from '#web/api/client.ts'
import { Initials } from '#web/Avatar.tsx'
import { PageLink } from '#web/parts/PageLink.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { RailSection } from '#web/sheet/RailSection.tsx'
import { countText } from '#web/time.ts'

const mostShown = 6

/** The other users of a user's organization. */
export function OtherUsers({ user: { id, organization_id, others } }: { user: UserDetail }) {
  const query = { organization: organization_id, column: 'name', direction: 'asc' } as const
  const { data } = useQuery({ ...queryOptionsFor(users.list, { query }), enabled: others > 0 })
  const shown = (data?.data ?? []).filter((one) => one.id !== id).slice(0, mostShown)
  if (others === 0) return null
  return (
    <RailSection title="Other users" count={others}>
      <ul className={classes.others}>
        {shown.map((one) => (
          <li key={one.id}>
            <Initials name={one.name} size={22} />
            <PageLink to={userAddress(one)}>{one.name}</PageLink>
            {!one.phone && !one.email && <Soft as="span">No email address</Soft>}
          </li>
        ))}
      </ul>
      {others > shown.length && (
        <PageLink
          to={`/users?organization=${organization_id}`}
        >{`Show all ${countText(others + 1)}`}</PageLink>
      )}
    </RailSection>
  )
}
