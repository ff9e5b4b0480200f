import { useDebouncedValue } from '@mantine/hooks'
import { useQueries } from '@tanstack/react-query'
import type { Reply } from '#shared/endpoint.ts'
import { ticketRequester, type EarlierCaller } from '#features/crm/support/requester.contract.ts'
import { bestRequesters } from '#features/crm/support/web/bestRequesters.ts'
import classes from '#features/crm/support/web/support.module.css'
import { ticketAddress } from '#features/crm/support/web/ticketWords.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'
import { PageLink } from '#web/parts/PageLink.tsx'
import { Soft } from '#web/parts/Soft.tsx'

const fewestLetters = 3
const most = 5
const pauseMs = 200

interface Props {
  /** The texts that were typed for the requester: a name, a number, or an address. */
  typed: readonly string[]
  onChoose: (user: { id: number; organization_id: number }) => void
  onChooseCaller: (caller: EarlierCaller) => void
}

/** The users and earlier callers who could be the requester: those who have most of what was typed come first. */
export function KnownRequesters({ typed, onChoose, onChooseCaller }: Props) {
  const may = useMay(ticketRequester.search)
  const [paused] = useDebouncedValue(typed.map((text) => text.trim()).join('\n'), pauseMs)
  const texts = paused.split('\n').filter((text) => text.length >= fewestLetters)
  const found = useQueries({
    queries: texts.map((q) => ({
      ...queryOptionsFor(ticketRequester.search, { query: { q } }),
      enabled: may,
    })),
    combine: (queries) => queries.flatMap(({ data }) => (data ? [data] : [])),
  })
  const users = bestRequesters(
    found.map(({ data }) => data),
    texts,
    (user) => user.id,
  )
  const callers = bestRequesters(
    found.map((reply) => reply.callers),
    texts,
    (caller) => caller.ticket.id,
  )
  const places = users.slice(0, most)
  const more = users.length - places.length
  if (users.length + callers.length === 0) return null
  return (
    <section className={classes.known} aria-labelledby="known-requesters">
      <h3 id="known-requesters">Who could this be?</h3>
      <ul className={classes.places}>
        {places.map((user) => (
          <li key={user.id}>
            <User user={user} onChoose={() => onChoose(user)} />
          </li>
        ))}
        {callers.slice(0, most).map((caller) => (
          <li key={`caller-${caller.ticket.id}`} className={classes.caller}>
            <Caller caller={caller} onChoose={() => onChooseCaller(caller)} />
          </li>
        ))}
      </ul>
      {more > 0 && <Soft>{`${more} more. Type more of the name, number, or address.`}</Soft>}
    </section>
  )
}

interface UserProps {
  user: Reply<typeof ticketRequester.search>['data'][number]
  onChoose: () => void
}

const User = ({ user, onChoose }: UserProps) => (
  <button type="button" className={classes.place} onClick={onChoose}>
    <span>
      <b>{user.name}</b>
      <Soft as="span" small>
        {[user.organization, user.email].filter(Boolean).join(' · ')}
      </Soft>
    </span>
  </button>
)

interface CallerProps {
  caller: EarlierCaller
  onChoose: () => void
}

/** An earlier caller, with their newest ticket, which the call can be about. */
const Caller = ({ caller: { name, phone, email, org_id, organization, ticket }, onChoose }: CallerProps) => (
  <>
    <button type="button" className={classes.place} onClick={onChoose}>
      <span>
        <b>{name || email}</b>
        <Soft as="span" small>
          {['No account', organization, phone, name && email].filter(Boolean).join(' · ')}
        </Soft>
      </span>
    </button>
    <PageLink to={ticketAddress({ id: ticket.id, org_id })}>
      {`#${ticket.id} ${ticket.title}${ticket.is_open ? '' : ' (solved)'}`}
    </PageLink>
  </>
)
