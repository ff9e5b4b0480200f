import { useState } from 'react'
import { TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { type TicketRow, tickets } from '#features/crm/support/contract.ts'
import classes from '#features/crm/support/web/support.module.css'
import { LineEnd, Lines } from '#features/crm/support/web/TicketLines.tsx'
import { IncidentChip, TicketState } from '#features/crm/support/web/ticketWords.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { moveThroughHits } from '#web/keys/moveThroughHits.ts'
import { Loaded } from '#web/list/states.tsx'
import { LinkButton } from '#web/parts/LinkButton.tsx'
import { Soft } from '#web/parts/Soft.tsx'

const typingMs = 250

interface Props {
  label: string
  /** The tickets that are offered before the user searches. */
  offered: UseQueryResult<{ data: readonly TicketRow[] }>
  /** Shown if no ticket is offered. */
  nothing: string
  /** Tickets that can't be chosen. */
  except: readonly number[]
  onChoose: (ticket: TicketRow) => void
}

/** Chooses another ticket: of those that are offered, or by search. */
export function ChooseTicket({ label, offered, nothing, except, onChoose }: Props) {
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), typingMs)
  const found = useQuery({
    ...queryOptionsFor(tickets.search, { query: { q: search } }),
    enabled: search !== '',
  })
  const shown = search ? found : offered
  const others = shown.data?.data.filter(({ id }) => !except.includes(id)) ?? []
  // Not one of the results of an earlier text.
  const enter = (text: string) => {
    if (text === search && !shown.isPlaceholderData && others[0]) onChoose(others[0])
  }
  return (
    <div className={classes.merge} onKeyDown={(event) => moveThroughHits(event, enter)}>
      <TextInput
        data-autofocus
        label={label}
        type="search"
        value={typed}
        maxLength={200}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <Loaded query={shown}>
        {() => {
          if (others.length === 0) return <Soft>{search ? 'No tickets match.' : nothing}</Soft>
          return (
            <Lines>
              {others.map((one) => (
                <li key={one.id}>
                  <LinkButton data-hit onClick={() => onChoose(one)}>{`#${one.id} ${one.title}`}</LinkButton>
                  <LineEnd>
                    <TicketState id={one.status} />
                    <IncidentChip ticket={one} />
                    <Soft as="span">{[one.requester, one.organization].filter(Boolean).join(', ')}</Soft>
                  </LineEnd>
                </li>
              ))}
            </Lines>
          )
        }}
      </Loaded>
    </div>
  )
}
