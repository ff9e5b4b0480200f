import { Suspense, useState } from 'react'
import IconArrowMerge from '@tabler/icons-react/dist/esm/icons/IconArrowMerge.mjs'
import IconArrowsSplit2 from '@tabler/icons-react/dist/esm/icons/IconArrowsSplit2.mjs'
import IconLink from '@tabler/icons-react/dist/esm/icons/IconLink.mjs'
import IconUserEdit from '@tabler/icons-react/dist/esm/icons/IconUserEdit.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { type Ticket, tickets } from '#features/crm/support/contract.ts'
import { ticketMerge } from '#features/crm/support/merge.contract.ts'
import { ticketRequester } from '#features/crm/support/requester.contract.ts'
import { deletesTicket } from '#features/crm/support/rules.ts'
import { OwnQueueItems, SpamItem, useSnoozeActs } from '#features/crm/support/web/TicketMenu.tsx'
import { useTicketKeys } from '#features/crm/support/web/useTicketKeys.ts'
import { useTicketChange } from '#features/crm/support/web/useTicketChange.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { MenuItem } from '#web/parts/Menu.tsx'
import { useViewer } from '#web/session.ts'
import { MoreMenu } from '#web/sheet/MoreMenu.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'

/** Dialogs of the menu, which load when they open. */
const dialogs = {
  link: lazyPart(() => import('#features/crm/support/web/incidents/LinkToIncident.tsx')),
  merge: lazyPart(() => import('#features/crm/support/web/MergeTicket.tsx')),
  requester: lazyPart(() => import('#features/crm/support/web/ChangeRequester.tsx')),
  snooze: lazyPart(() => import('#features/crm/support/web/SnoozeTicket.tsx')),
  split: lazyPart(() => import('#features/crm/support/web/SplitTicket.tsx')),
}

interface Props {
  ticket: Ticket
  /** Called when the ticket was moved to the trash. */
  onRemoved?: () => void
}

/** Menu of a ticket's rare actions, with their keys, on its page and beside the list. */
export function TicketMore({ ticket, onRemoved }: Props) {
  const { id } = ticket
  const viewer = useViewer()
  const { onDone } = useTicketChange()
  const { send: remove } = useSend(tickets.remove, {
    onDone: (reply) => {
      onDone(reply)
      onRemoved?.()
    },
  })
  const [dialog, setDialog] = useState<keyof typeof dialogs>()
  const Dialog = dialog && dialogs[dialog]
  const mayMerge = useMay(ticketMerge.merge, { params: { ticket: id }, body: { into: id } })
  const mayChangeRequester = useMay(ticketRequester.change, { params: { ticket: id }, body: {} })
  const queues = { ticket, onChooseTime: () => setDialog('snooze') }
  useSnoozeActs(queues)
  useTicketKeys(ticket, {
    merge: mayMerge ? () => setDialog('merge') : undefined,
    snooze: queues.onChooseTime,
  })
  const mayRemove = viewer !== undefined && deletesTicket(viewer, ticket)
  return (
    <>
      <MoreMenu>
        <OwnQueueItems {...queues} />
        {mayChangeRequester && ticket.staff_id === null && (
          <MenuItem
            icon={<IconUserEdit size={14} stroke={1.5} aria-hidden />}
            onClick={() => setDialog('requester')}
          >
            Change requester
          </MenuItem>
        )}
        {mayMerge && (
          <MenuItem
            icon={<IconArrowMerge size={14} stroke={1.5} aria-hidden />}
            onClick={() => setDialog('merge')}
          >
            Merge with another ticket
          </MenuItem>
        )}
        {mayMerge && ticket.linked_count === 0 && (
          <MenuItem icon={<IconLink size={14} stroke={1.5} aria-hidden />} onClick={() => setDialog('link')}>
            Link to incident
          </MenuItem>
        )}
        {mayMerge && ticket.messages.length > 1 && (
          <MenuItem
            icon={<IconArrowsSplit2 size={14} stroke={1.5} aria-hidden />}
            onClick={() => setDialog('split')}
          >
            Split into two tickets
          </MenuItem>
        )}
        <SpamItem ticket={ticket} />
        {mayRemove && (
          <MenuItem
            icon={<IconTrash size={14} stroke={1.5} aria-hidden />}
            onClick={() => void remove({ params: { id } })}
          >
            Move to trash
          </MenuItem>
        )}
      </MoreMenu>
      {Dialog && (
        <Suspense>
          <Dialog ticket={ticket} onClose={() => setDialog(undefined)} />
        </Suspense>
      )}
    </>
  )
}
