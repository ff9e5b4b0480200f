import { Suspense, useState } from 'react'
import IconArrowMerge from '@tabler/icons-react/dist/esm/icons/IconArrowMerge.mjs'
import IconArrowsSplit2 from '@tabler/icons-react/dist/esm/icons/IconArrowsSplit2.mjs'
import IconLink from '@tabler/icons-react/dist/esm/icons/IconLink.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { type Ticket, tickets } from '#features/crm/support/contract.ts'
import { ticketMerge } from '#features/crm/support/merge.contract.ts'
import { deletesTicket } from '#features/crm/support/rules.ts'
import { useAssignToMe } from '#features/crm/support/web/TicketAssignee.tsx'
import { OwnQueueItems, SpamItem } from '#features/crm/support/web/TicketMenu.tsx'
import { ticketQueries } from '#features/crm/support/web/ticketWords.tsx'
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

const MergeTicket = lazyPart(() => import('#features/crm/support/web/MergeTicket.tsx'))
const LinkToIncident = lazyPart(() => import('#features/crm/support/web/incidents/LinkToIncident.tsx'))
const SplitTicket = lazyPart(() => import('#features/crm/support/web/SplitTicket.tsx'))

/** Loads a ticket without marking it as read. */
const prefetchTicket = (id: number) => void prefetch(queryOptionsFor(tickets.show, { params: { id } }))

export const ticketParents = [['/support', 'Support tickets']] as const

/** Heading of a ticket, with the way through its list and its rare actions. */
export function TicketHead({ ticket }: { ticket: Ticket }) {
  const { id } = ticket
  const viewer = useViewer()
  const backToList = useBackToList('/support')
  const { onDone } = useTicketChange()
  const { send: remove } = useSend(tickets.remove, {
    refresh: ticketQueries,
    onDone: (reply) => {
      onDone(reply)
      backToList()
    },
  })
  const assignToMe = useAssignToMe()
  usePageKeys({ a: () => assignToMe(ticket) })
  const [isMerging, setMerging] = useState(false)
  const [isLinking, setLinking] = useState(false)
  const [isSplitting, setSplitting] = useState(false)
  const mayMerge = useMay(ticketMerge.merge, { params: { ticket: id }, body: { into: id } })
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
      <WaitingTime ticket={ticket} />
      <MoreMenu>
        <OwnQueueItems ticket={ticket} />
        {mayMerge && (
          <MenuItem
            icon={<IconArrowMerge size={14} stroke={1.5} aria-hidden />}
            onClick={() => setMerging(true)}
          >
            Merge with another ticket
          </MenuItem>
        )}
        {mayMerge && ticket.linked_count === 0 && (
          <MenuItem icon={<IconLink size={14} stroke={1.5} aria-hidden />} onClick={() => setLinking(true)}>
            Link to incident
          </MenuItem>
        )}
        {mayMerge && ticket.messages.length > 1 && (
          <MenuItem
            icon={<IconArrowsSplit2 size={14} stroke={1.5} aria-hidden />}
            onClick={() => setSplitting(true)}
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
      {isLinking && (
        <Suspense>
          <LinkToIncident ticket={ticket} onClose={() => setLinking(false)} />
        </Suspense>
      )}
      {isSplitting && (
        <Suspense>
          <SplitTicket ticket={ticket} onClose={() => setSplitting(false)} />
        </Suspense>
      )}
      {isMerging && (
        <Suspense>
          <MergeTicket ticket={ticket} onClose={() => setMerging(false)} />
        </Suspense>
      )}
    </RecordHeader>
  )
}
