import { type Ticket, tickets } from '#features/crm/support/contract.ts'
import { ticketPriorities } from '#features/crm/support/rules.ts'
import { useTicketChange } from '#features/crm/support/web/useTicketChange.ts'
import { useSend } from '#web/api/useSend.ts'
import type { PaletteChoice } from '#web/palette/choices.ts'

/** Returns the priorities that the palette sets. */
export function usePriorityChoices({ id, version, priority }: Ticket): PaletteChoice[] {
  const { send } = useSend(tickets.update, useTicketChange())
  return ticketPriorities.map((one) => ({
    id: String(one.id),
    label: one.name,
    isCurrent: one.id === priority,
    run: () => void send({ params: { id }, body: { priority: one.id, version, base: { priority } } }),
  }))
}
