import { useQuery } from '@tanstack/react-query'
import { logs, outcomes } from '#features/admin/logs/contract.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'
import { Loaded } from '#web/list/states.tsx'
import { Moment } from '#web/Moment.tsx'
import { Head } from '#web/parts/Head.tsx'
import { LineList, LineName } from '#web/parts/LineList.tsx'
import { PageLink } from '#web/parts/PageLink.tsx'
import { Soft } from '#web/parts/Soft.tsx'

const shown = 5

/** The last sign-ins of an admin user, for viewers who can read the sign-in log. */
export default function SignInsOfStaff({ id }: { id: number }) {
  const query = { staff_id: id, page: 1 }
  const signIns = useQuery(queryOptionsFor(logs.signIns, { query }))
  if (!useMay(logs.signIns, { query })) return null
  return (
    <section aria-label="Last sign-ins">
      <Head>
        <h3>Last sign-ins</h3>
        <PageLink to={`/users/log?staff_id=${id}`}>Sign-in log</PageLink>
      </Head>
      <Loaded query={signIns}>
        {({ data }) =>
          data.length === 0 ? (
            <Soft>No sign-ins yet.</Soft>
          ) : (
            <LineList>
              {data.slice(0, shown).map((one) => (
                <li key={one.id}>
                  <LineName>{outcomes[one.outcome]}</LineName>
                  <Soft as="span" small>
                    {one.address} · <Moment at={one.at} />
                  </Soft>
                </li>
              ))}
            </LineList>
          )
        }
      </Loaded>
    </section>
  )
}
