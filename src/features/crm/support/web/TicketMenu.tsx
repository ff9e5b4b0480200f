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

/** Menu items that change a ticket only for the user: mark as unread, follow, and snooze. */
export function OwnQueueItems({ ticket, onChooseTime }: Props) {
  const may = useMay(desk.markUnread, { params: { ticket: ticket.id } })
  const { send: markUnread } = useSend(desk.markUnread, options)
  const follow = useFollow(ticket)
  const { snooze, unsnooze } = useSnooze(ticket.id)
  const params = { ticket: ticket.id }
  if (!may) return null
  const until = (moment: string | null) => void snooze(moment)
  return (
    <>
      <MenuItem icon={<IconMail {...icon} />} onClick={() => void markUnread({ params })}>
        Mark as unread
      </MenuItem>
      <MenuItem icon={<IconBell {...icon} />} onClick={follow}>
        {ticket.is_followed ? 'Unfollow' : 'Follow'}
      </MenuItem>
      <MenuLine />
      {ticket.is_snoozed ? (
        <MenuItem icon={<IconClock {...icon} />} onClick={() => void unsnooze()}>
          End snooze
        </MenuItem>
      ) : (
        <>
          <MenuItem icon={<IconClock {...icon} />} onClick={() => until(morningIn(1))}>
            Snooze until tomorrow
          </MenuItem>
          <MenuItem icon={<IconClock {...icon} />} onClick={() => until(morningIn(daysToMonday()))}>
            Snooze until Monday
          </MenuItem>
          <MenuItem icon={<IconClock {...icon} />} onClick={onChooseTime}>
            Snooze until a date…
          </MenuItem>
          <MenuItem icon={<IconClock {...icon} />} onClick={() => until(null)}>
            Snooze until the customer writes
          </MenuItem>
        </>
      )}
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
