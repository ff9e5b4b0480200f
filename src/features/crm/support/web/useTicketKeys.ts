import { type Ticket, tickets } from '#features/crm/support/contract.ts'
import { desk } from '#features/crm/support/desk.contract.ts'
import { ticketFields } from '#features/crm/support/fields.ts'
import { useFollow } from '#features/crm/support/web/TicketMenu.tsx'
import { useMay } from '#web/api/useSend.ts'
import { usePageKeys } from '#web/keys/usePageKeys.ts'
import { openAct } from '#web/palette/pageActs.ts'

interface Opened {
  merge: (() => void) | undefined
  snooze: () => void
}

/** The keys of an open ticket, on its page and beside the list. */
export function useTicketKeys(ticket: Ticket, { merge, snooze }: Opened): void {
  const params = { ticket: ticket.id }
  const follow = useFollow(ticket)
  const mayFollow = useMay(desk.follow, { params, body: { follow: true } })
  const maySnooze = useMay(desk.snooze, { params, body: { until: null } }) && !ticket.is_snoozed
  const mayChange = useMay(tickets.update, { params: { id: ticket.id }, body: {} })
  usePageKeys({
    ...(mayFollow && { f: follow }),
    ...(merge && { m: merge }),
    ...(maySnooze && { s: snooze }),
    ...(mayChange && {
      p: () => change(`[data-changes="${ticketFields.priority.label}"]`, 'priority'),
      t: () => change('[aria-label="Change tags"]', 'tags'),
    }),
  })
}

/** Opens the menu of a property or, where the properties aren't shown, its options in the palette. */
function change(button: string, act: string): void {
  const shown = document.querySelector<HTMLElement>(`[data-palette-part] ${button}`)
  if (shown?.checkVisibility()) shown.click()
  else openAct(act)
}
