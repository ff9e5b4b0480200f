import { Suspense, useEffect, useEffectEvent, useState } from 'react'
import { useNavigate } from '@tanstack/react-router'
import IconArrowUpRight from '@tabler/icons-react/dist/esm/icons/IconArrowUpRight.mjs'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import { type Ticket, type TicketRow, tickets } from '#features/crm/support/contract.ts'
import { replyDraft } from '#features/crm/support/reply.fields.ts'
import classes from '#features/crm/support/web/support.module.css'
import { MergedTicket } from '#features/crm/support/web/MergedTicket.tsx'
import { useAssigneeAct } from '#features/crm/support/web/TicketAssignee.tsx'
import { usePriorityChoices } from '#features/crm/support/web/ticketPriority.ts'
import { useTagChoices } from '#features/crm/support/web/TicketTags.tsx'
import { TicketMore } from '#features/crm/support/web/TicketMore.tsx'
import { TicketConversation } from '#features/crm/support/web/TicketConversation.tsx'
import { noteDraft, sentElsewhere } from '#features/crm/support/web/sentReply.ts'
import { IncidentChip, ticketAddress, TicketStatus } from '#features/crm/support/web/ticketWords.tsx'
import { SnoozedUntil } from '#features/crm/support/web/SnoozedUntil.tsx'
import { TargetClock } from '#features/crm/support/web/TargetClock.tsx'
import { useReadMark, useTicket } from '#features/crm/support/web/useTicket.ts'
import { WaitingTime } from '#features/crm/support/web/WaitingTime.tsx'
import { useMay } from '#web/api/useSend.ts'
import { readDraft } from '#web/form/draft.ts'
import type { OpenRecord } from '#web/list/inbox/Inbox.tsx'
import { PaneHead } from '#web/list/inbox/PaneHead.tsx'
import { RecordPane } from '#web/list/inbox/RecordPane.tsx'
import { usePageActs } from '#web/palette/pageActs.ts'
import { TextLink } from '#web/parts/controls.tsx'
import { Presence } from '#web/record/Presence.tsx'
import { PaneSheet, usePaneRail } from '#web/sheet/PaneSheet.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'

/** Offers in the palette what the properties change, which a narrow pane doesn't show. */
function usePaneActs(ticket: Ticket, may: boolean): void {
  const assignee = useAssigneeAct(ticket)
  const priorities = usePriorityChoices(ticket)
  const tags = useTagChoices(ticket)
  const icon = <IconPencil size={16} aria-hidden />
  const run = () => {}
  usePageActs(
    may
      ? [
          { id: 'assignee', label: 'Change assignee', icon, run, ...assignee },
          { id: 'priority', label: 'Change priority', letter: 'p', icon, run, choices: priorities },
          ...(tags.length > 0
            ? [{ id: 'tags', label: 'Change tags', letter: 't', icon, run, choices: tags }]
            : []),
        ]
      : [],
  )
}

/** Needed only where it fits, or when it is opened. */
const TicketRail = lazyPart(() => import('#features/crm/support/web/TicketRail.tsx'), 'TicketRail')

type Props = Pick<OpenRecord<TicketRow>, 'id' | 'note'>

/** A ticket that is open beside the list, to read and answer it there. */
export default function TicketPane({ id, note }: Props) {
  const may = useMay(tickets.show, { params: { id } })
  const navigate = useNavigate()
  const open = (other: number) =>
    void navigate({ to: '.', search: (search: object) => ({ ...search, open: other }), replace: true })
  return (
    <RecordPane query={useTicket(id)} one="ticket" may={may} record={{ type: 'ticket', id }}>
      {({ data }, error, retry) => (
        <MergedTicket key={id} ticket={data} onMoved={open}>
          <OpenTicket ticket={data} note={note} error={error} onRetry={retry} />
        </MergedTicket>
      )}
    </RecordPane>
  )
}

/** Time after which a ticket that is passed on a walk through the list counts as read. */
const readAfterMs = 800

/** Whether a form of the ticket has something to show: a draft, or an email whose sending can still be undone. */
function isWritingStarted({ id, messages }: Ticket): boolean {
  return (
    readDraft(replyDraft(id)) !== undefined ||
    readDraft(noteDraft(id)) !== undefined ||
    messages.some(({ mail }) => mail !== null && mail.undo_seconds !== null) ||
    sentElsewhere(id) !== undefined
  )
}

interface OpenProps extends Pick<Props, 'note'> {
  ticket: Ticket
  error: Error | null
  onRetry: () => void
}

function OpenTicket({ ticket, note, error, onRetry }: OpenProps) {
  const readTo = useReadMark(ticket, readAfterMs)
  const may = useMay(tickets.update, { params: { id: ticket.id }, body: {} })
  const pane = usePaneRail()
  usePaneActs(ticket, may)
  const [isStarted] = useState(() => isWritingStarted(ticket))
  const tell = useEffectEvent(note)
  useEffect(() => tell(ticket), [ticket])
  return (
    <PaneSheet
      pane={pane}
      head={
        <PaneHead
          number={ticket.id}
          title={ticket.title}
          about={
            <span className={classes.paneAbout}>
              <span>{[ticket.requester, ticket.organization].filter(Boolean).join(', ')}</span>
              <TargetClock ticket={ticket} isNamed={pane.isWide} />
              <WaitingTime ticket={ticket} isShort />
              {ticket.is_snoozed && <SnoozedUntil ticket={ticket} isNamed />}
            </span>
          }
        >
          <Presence type="ticket" id={ticket.id} />
          <IncidentChip ticket={ticket} />
          <span {...(!pane.isWide && !pane.isOpen && { 'data-palette-part': 'This page' })}>
            <TicketStatus ticket={ticket} />
          </span>
          <TextLink to={ticketAddress(ticket)} icon={<IconArrowUpRight size={14} aria-hidden />}>
            Open ticket
          </TextLink>
          {pane.toggle}
          <TicketMore ticket={ticket} />
        </PaneHead>
      }
      rail={
        <Suspense>
          <TicketRail ticket={ticket} may={may} />
        </Suspense>
      }
    >
      <TicketConversation
        ticket={ticket}
        readTo={readTo}
        error={error}
        onRetry={onRetry}
        line={isStarted ? undefined : ticket.requester ? `Reply to ${ticket.requester}` : 'Reply'}
      />
    </PaneSheet>
  )
}
