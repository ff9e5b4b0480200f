import { useDebouncedValue } from '@mantine/hooks'
import { useQueries } from '@tanstack/react-query'
import { ticketRequester } from '#features/crm/support/requester.contract.ts'
import classes from '#features/crm/support/web/support.module.css'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'
import { Soft } from '#web/parts/Soft.tsx'

const fewestLetters = 3
const most = 3
const pauseMs = 200

interface Props {
  /** The texts that were typed for the requester: a name, a number, or an address. */
  typed: readonly string[]
  onChoose: (user: { id: number; organization_id: number }) => void
}

/** The users who could be the requester, by any of what was typed. */
export function KnownRequesters({ typed, onChoose }: Props) {
  const may = useMay(ticketRequester.search)
  const [paused] = useDebouncedValue(typed.map((text) => text.trim()).join('\n'), pauseMs)
  const texts = paused.split('\n').filter((text) => text.length >= fewestLetters)
  const found = useQueries({
    queries: texts.map((q) => ({
      ...queryOptionsFor(ticketRequester.search, { query: { q } }),
      enabled: may,
    })),
    combine: (queries) => queries.flatMap(({ data }) => data?.data ?? []),
  })
  const users = [...new Map(found.map((user) => [user.id, user])).values()].slice(0, most)
  if (users.length === 0) return null
  return (
    <section className={classes.known} aria-labelledby="known-requesters">
      <h3 id="known-requesters">Who could this be?</h3>
      <ul className={classes.places}>
        {users.map((user) => (
          <li key={user.id}>
            <button type="button" className={classes.place} onClick={() => onChoose(user)}>
              <span>
                <b>{user.name}</b>
                <Soft as="span" small>
                  {[user.organization, user.email].filter(Boolean).join(' · ')}
                </Soft>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
