import { Suspense, useState } from 'react'
import IconArrowMerge from '@tabler/icons-react/dist/esm/icons/IconArrowMerge.mjs'
import IconArrowsSplit2 from '@tabler/icons-react/dist/esm/icons/IconArrowsSplit2.mjs'
import IconLink from '@tabler/icons-react/dist/esm/icons/IconLink.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { type Ticket, tickets } from '#features/crm/support/contract.ts'
import { desk } from '#features/crm/support/desk.contract.ts'
import { ticketMerge } from '#features/crm/support/merge.contract.ts'
import { ticketFields } from '#features/crm/support/fields.ts'
import { deletesTicket } from '#features/crm/support/rules.ts'
import classes from '#features/crm/support/web/support.module.css'
import { TargetClock } from '#features/crm/support/web/TargetClock.tsx'
import { useAssignToMe } from '#features/crm/support/web/TicketAssignee.tsx'
import { OwnQueueItems, SpamItem, useFollow } from '#features/crm/support/web/TicketMenu.tsx'
import { ticketParents } from '#features/crm/support/web/ticketWords.tsx'
import { WaitingTime } from '#features/crm/support/web/WaitingTime.tsx'
import { useTicketChange } from '#features/crm/support/web/useTicketChange.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { prefetch } from '#web/api/queries.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { usePageKeys } from '#web/keys/usePageKeys.ts'
import { MenuItem } from '#web/parts/Menu.tsx'
import { RecordHeader } from '#web/record/RecordHeader.tsx'
import { useBackToList } from '#web/record/useBackToList.ts'
import { useViewer } from '#web/session.ts'
import { MoreMenu } from '#web/sheet/MoreMenu.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'

/** Dialogs of the menu, which load when they open. */
const dialogs = {
  link: lazyPart(() => import('#features/crm/support/web/incidents/LinkToIncident.tsx')),
  merge: lazyPart(() => import('#features/crm/support/web/MergeTicket.tsx')),
  snooze: lazyPart(() => import('#features/crm/support/web/SnoozeTicket.tsx')),
  split: lazyPart(() => import('#features/crm/support/web/SplitTicket.tsx')),
}

/** Loads a ticket without marking it as read. */
const prefetchTicket = (id: number) => void prefetch(queryOptionsFor(tickets.show, { params: { id } }))

/** Opens the title among the facts, if the viewer can change it. */
const editTitle = () =>
  document.querySelector<HTMLElement>(`[data-changes="${ticketFields.title.label}"]`)?.click()

/** Heading of a ticket, with the way through its list and its rare actions. */
export function TicketHead({ ticket }: { ticket: Ticket }) {
  const { id } = ticket
  const viewer = useViewer()
  const backToList = useBackToList('/support')
  const { onDone } = useTicketChange()
  const { send: remove } = useSend(tickets.remove, {
    onDone: (reply) => {
      onDone(reply)
      backToList()
    },
  })
  const assignToMe = useAssignToMe()
  const follow = useFollow(ticket)
  const [dialog, setDialog] = useState<keyof typeof dialogs>()
  const Dialog = dialog && dialogs[dialog]
  const mayMerge = useMay(ticketMerge.merge, { params: { ticket: id }, body: { into: id } })
  const mayFollow = useMay(desk.follow, { params: { ticket: id }, body: { follow: true } })
  usePageKeys({
    a: () => assignToMe(ticket),
    e: editTitle,
    ...(mayFollow && { f: follow }),
    ...(mayMerge && { m: () => setDialog('merge') }),
  })
  const mayRemove = viewer !== undefined && deletesTicket(viewer, ticket)
  return (
    <RecordHeader
      type="ticket"
      id={id}
      number={id}
      title={ticket.title}
      parents={ticketParents}
      prefetch={prefetchTicket}
    >
      <span className={classes.clockInHead}>
        <TargetClock ticket={ticket} isNamed />
      </span>
      <WaitingTime ticket={ticket} />
      <MoreMenu>
        <OwnQueueItems ticket={ticket} onChooseTime={() => setDialog('snooze')} />
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
    </RecordHeader>
  )
}
