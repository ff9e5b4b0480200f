import { useEffect, useEffectEvent, useState } from 'react'
import IconArrowUpRight from '@tabler/icons-react/dist/esm/icons/IconArrowUpRight.mjs'
import type { Ticket, TicketRow } from '#features/crm/support/contract.ts'
import { RequestConversation } from '#features/crm/support/web/RequestConversation.tsx'
import { requestDraft } from '#features/crm/support/web/sentReply.ts'
import { requestAddress, TicketState } from '#features/crm/support/web/ticketWords.tsx'
import { useRequest } from '#features/crm/support/web/useRequest.ts'
import { readDraft } from '#web/form/draft.ts'
import type { OpenRecord } from '#web/list/inbox/Inbox.tsx'
import { PaneHead } from '#web/list/inbox/PaneHead.tsx'
import { Middle } from '#web/list/inbox/places.tsx'
import { RecordPane } from '#web/list/inbox/RecordPane.tsx'
import { EmptyState } from '#web/list/states.tsx'
import { TextLink } from '#web/parts/controls.tsx'

/** One of the viewer's own requests, beside the list. */
export default function RequestPane({ id, row, note }: OpenRecord<TicketRow>) {
  // Requests are looked up by organization, which only the row tells.
  const query = useRequest(id, row?.org_id ?? 0, row !== undefined)
  if (!row)
    return (
      <Middle>
        <EmptyState title="This request isn’t on this page of the list">
          Search for its title, or go to another page.
        </EmptyState>
      </Middle>
    )
  return (
    <RecordPane query={query} one="request" may>
      {({ data }) => <OpenRequest ticket={data} note={note} />}
    </RecordPane>
  )
}

function OpenRequest({ ticket, note }: { ticket: Ticket; note: (row: TicketRow) => void }) {
  const [hasDraft] = useState(() => readDraft(requestDraft(ticket.id)) !== undefined)
  const tell = useEffectEvent(note)
  useEffect(() => tell(ticket), [ticket])
  return (
    <>
      <PaneHead number={ticket.id} title={ticket.title} about={ticket.organization ?? undefined}>
        <TicketState id={ticket.status} />
        <TextLink to={requestAddress(ticket)} icon={<IconArrowUpRight size={14} aria-hidden />}>
          Open request
        </TextLink>
      </PaneHead>
      <RequestConversation ticket={ticket} line={hasDraft ? undefined : 'Reply to support'} />
    </>
  )
}
