import { useQuery } from '@tanstack/react-query'
import classes from '#features/crm/customer-view/web/customer-view.module.css'
import { tickets } from '#features/crm/support/contract.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'
import { Initials } from '#web/Avatar.tsx'
import { Moment } from '#web/Moment.tsx'
import { PageLink } from '#web/parts/PageLink.tsx'
import { Soft } from '#web/parts/Soft.tsx'

const most = 5

/** The last tickets of a caller without an account, by the name, number, or address that was typed. */
export function CallerTickets({ q }: { q: string }) {
  const query = { search: `from:"${q.replaceAll('"', ' ')}"` }
  const mayList = useMay(tickets.list, { query })
  const mayOpen = useMay(tickets.show, { params: { id: 1 } })
  const { data } = useQuery({ ...queryOptionsFor(tickets.list, { query }), enabled: mayList && mayOpen })
  const found = (data?.data ?? []).filter(({ user_id, staff_id }) => user_id === 0 && staff_id === null)
  if (found.length === 0) return null
  return (
    <>
      <h2>Tickets of callers</h2>
      <ul aria-label="Tickets of callers">
        {found.slice(0, most).map(({ id, org_id, title, requester, last_message_at }) => (
          <li key={id}>
            <PageLink to={`/support/ticket/${id}/${org_id}`} className={classes.hit} data-hit>
              <Initials name={requester} size={28} />
              <strong>{title}</strong>
              <Soft as="span" small>
                {requester} · #{id} · <Moment at={last_message_at} />
              </Soft>
            </PageLink>
          </li>
        ))}
      </ul>
    </>
  )
}
