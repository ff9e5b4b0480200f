import { useState } from 'react'
import type { BulkRecipient } from '#features/crm/support/bulk-reply.contract.ts'
import { mostAnswered, type IncidentTicket } from '#features/crm/support/incidents.contract.ts'

/** A ticket that an answer to several can go to. */
export type Recipient = IncidentTicket | BulkRecipient

export type Recipients = ReturnType<typeof useRecipients>

/** Returns whether an answer to all reaches the requester of a ticket. */
export const isReached = ({ why }: Recipient) => why === null || why === 'solved'

/**
 * Returns which of the tickets are chosen: those that an answer reaches and that aren't solved, unless the user
 * chose otherwise, and the one that is shown.
 */
export function useRecipients(parts: readonly Recipient[]) {
  const [chosen, setChosen] = useState<Readonly<Record<number, boolean>>>({})
  const [shown, setShown] = useState<number>()
  const isChosen = (part: Recipient) => chosen[part.id] ?? part.why === null
  const answered = parts.filter((part) => isReached(part) && isChosen(part))
  const at = Math.max(
    0,
    answered.findIndex(({ id }) => id === shown),
  )
  return {
    /** The tickets that an answer goes to. */
    answered,
    /** The chosen tickets, whether an answer reaches them or not. */
    chosen: parts.filter(isChosen),
    isChosen,
    choose: (id: number, is: boolean) => setChosen({ ...chosen, [id]: is }),
    /** The ticket whose email is shown, and its place among those that are answered. */
    shown: answered[at],
    at,
    show: setShown,
    step: (by: 1 | -1) => {
      const next = answered[at + by]
      if (next) setShown(next.id)
    },
  }
}

/** Returns why nothing can be sent to so many tickets. */
export function whyNotSend(count: number): string | undefined {
  if (count === 0) return 'Choose at least one ticket.'
  return count > mostAnswered ? `Choose up to ${mostAnswered} tickets.` : undefined
}
