import { useEffect, useEffectEvent, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { Reply } from '#shared/endpoint.ts'
import { type Ticket, tickets } from '#features/crm/support/contract.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import { useOrganization } from '#web/organization.ts'

/**
 * Returns the query of a ticket, which refreshes when the ticket or one of its emails changes.
 * @param org ID of the ticket's organization until the ticket is loaded; 0 if it is not known
 */
export function useTicket(id: number, org = 0) {
  const query = useQuery(queryOptionsFor(tickets.show, { params: { id } }))
  useOrganization(query.data?.data.org_id ?? org)
  return query
}

/** Returns what a ticket's page loaded along with it. */
function useAlong<Part>(ticket: number | undefined, select: (reply: Reply<typeof tickets.show>) => Part) {
  const { data } = useQuery({
    ...queryOptionsFor(tickets.show, { params: { id: ticket ?? 0 } }),
    select,
    enabled: ticket !== undefined,
    staleTime: Infinity,
  })
  return data
}

/** Returns whether emails are sent; without an SMTP server, they wait. */
export const useIsEmailOn = (ticket: number | undefined): boolean =>
  useAlong(ticket, ({ is_on }) => is_on) ?? true

/** Returns what the requester of a ticket sees of the sender of a reply; null if no reply is emailed. */
export function useReplySender({ id, requester_email }: Pick<Ticket, 'id' | 'requester_email'>) {
  const sender = useAlong(id, (reply) => reply.sender) ?? null
  return requester_email === null ? null : sender
}

/** Returns whether a reply assigns a ticket to the viewer unless they choose otherwise. */
export const useReplyTakes = ({ id }: Pick<Ticket, 'id'>): boolean =>
  useAlong(id, ({ reply_assigns }) => reply_assigns) ?? false

/**
 * Marks a ticket as read when it opens, and again when messages arrive while it is open.
 * @param afterMs time for which the ticket must be open first
 * @returns the ID of the last message that had been read when the ticket opened, so that the line above the new
 *   messages stays in place
 */
export function useReadMark(ticket: Ticket, afterMs = 0): number | null {
  const [readTo] = useState(ticket.read_to)
  const { send } = useSend(tickets.getTicket)
  const newest = ticket.messages.at(-1)?.id
  const mark = useEffectEvent(() => void send({ params: { id: ticket.id, org: ticket.org_id } }))
  useEffect(() => {
    if (newest === undefined) return
    if (afterMs === 0) return mark()
    const timer = setTimeout(() => mark(), afterMs)
    return () => clearTimeout(timer)
  }, [newest, afterMs])
  return readTo
}
