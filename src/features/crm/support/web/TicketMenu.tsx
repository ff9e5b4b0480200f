import IconAlertOctagon from '@tabler/icons-react/dist/esm/icons/IconAlertOctagon.mjs'
import IconBell from '@tabler/icons-react/dist/esm/icons/IconBell.mjs'
import IconClock from '@tabler/icons-react/dist/esm/icons/IconClock.mjs'
import IconMail from '@tabler/icons-react/dist/esm/icons/IconMail.mjs'
import type { Ticket } from '#features/crm/support/contract.ts'
import { desk } from '#features/crm/support/desk.contract.ts'
import { daysToMonday, morningIn } from '#features/crm/support/web/snoozeTimes.ts'
import { useSnooze } from '#features/crm/support/web/useSnooze.ts'
import { useTicketChange } from '#features/crm/support/web/useTicketChange.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { toast } from '#web/message/toast.ts'
import { usePageActs } from '#web/palette/pageActs.ts'
import { MenuItem, MenuLine } from '#web/parts/Menu.tsx'

const icon = { size: 14, stroke: 1.5, 'aria-hidden': true } as const
const options = {
  onDone: ({ message }: { message: string }) => toast.success(message),
}

/** Returns a function that follows a ticket, or stops following it. */
export function useFollow({ id, is_followed }: Ticket): () => void {
  const { send } = useSend(desk.follow, options)
  return () => void send({ params: { ticket: id }, body: { follow: !is_followed } })
}

interface Props {
  ticket: Ticket
  /** Opens the dialog for another time. */
  onChooseTime: () => void
}

/** Returns what the user can do with their queues and a ticket: snooze it, or end that. */
function useSnoozes({ ticket, onChooseTime }: Props): { id: string; label: string; run: () => void }[] {
  const { snooze, unsnooze } = useSnooze(ticket.id)
  if (ticket.is_snoozed) return [{ id: 'unsnooze', label: 'End snooze', run: () => void unsnooze() }]
  const until = (moment: string | null) => void snooze(moment)
  return [
    { id: 'snooze-tomorrow', label: 'Snooze until tomorrow', run: () => until(morningIn(1)) },
    { id: 'snooze-monday', label: 'Snooze until Monday', run: () => until(morningIn(daysToMonday())) },
    { id: 'snooze-date', label: 'Snooze until a date…', run: onChooseTime },
    { id: 'snooze-customer', label: 'Snooze until the customer writes', run: () => until(null) },
  ]
}

/** Offers snoozing in the palette, where the menu isn't open. */
export function useSnoozeActs(props: Props): void {
  const may = useMay(desk.markUnread, { params: { ticket: props.ticket.id } })
  const snoozes = useSnoozes(props)
  usePageActs(may ? snoozes.map((act) => ({ ...act, icon: <IconClock {...icon} size={16} /> })) : [])
}

/** Menu items that change a ticket only for the user: mark as unread, follow, and snooze. */
export function OwnQueueItems(props: Props) {
  const { ticket } = props
  const may = useMay(desk.markUnread, { params: { ticket: ticket.id } })
  const { send: markUnread } = useSend(desk.markUnread, options)
  const follow = useFollow(ticket)
  const snoozes = useSnoozes(props)
  const params = { ticket: ticket.id }
  if (!may) return null
  return (
    <>
      <MenuItem icon={<IconMail {...icon} />} onClick={() => void markUnread({ params })}>
        Mark as unread
      </MenuItem>
      <MenuItem icon={<IconBell {...icon} />} onClick={follow}>
        {ticket.is_followed ? 'Unfollow' : 'Follow'}
      </MenuItem>
      <MenuLine />
      {snoozes.map(({ id, label, run }) => (
        <MenuItem key={id} icon={<IconClock {...icon} />} onClick={run}>
          {label}
        </MenuItem>
      ))}
    </>
  )
}

/** Menu item that marks a ticket as spam. */
export function SpamItem({ ticket: { id, spam_reason } }: { ticket: Ticket }) {
  const input = { params: { ticket: id }, body: { spam: true } }
  const may = useMay(desk.markSpam, input)
  const { send } = useSend(desk.markSpam, useTicketChange())
  if (!may || spam_reason !== null) return null
  return (
    <MenuItem icon={<IconAlertOctagon {...icon} />} onClick={() => void send(input)}>
      Mark as spam
    </MenuItem>
  )
}
