import { ticketFields } from '#features/crm/support/fields.ts'
import type { Ticket } from '#features/crm/support/contract.ts'
import { entryOfForward } from '#features/crm/support/web/Forwarding.tsx'
import {
  entryOfComment,
  entryOfMessage,
  entryOfNote,
  firstUnread,
} from '#features/crm/support/web/ticketEntries.tsx'
import { changesToShow } from '#features/crm/support/web/ticketEvents.ts'
import { useLists } from '#web/filter/useOptions.ts'
import { ErrorState } from '#web/list/states.tsx'
import { EventWords, UndoEntry } from '#web/record/EventWords.tsx'
import { byId, withWords, type RecordFields } from '#web/record/fieldWords.ts'
import { isShown, useTimeline } from '#web/record/useTimeline.ts'
import { useViewer, type Person } from '#web/session.ts'
import type { StreamEntry } from '#web/stream/entries.ts'
import { Stream } from '#web/stream/Stream.tsx'
import type { RecordEvent } from '#shared/record.contract.ts'

/** A ticket as one conversation: messages, internal notes, and changes in order of time. */
export function TicketStream({
  ticket,
  readTo,
  may,
}: {
  ticket: Ticket
  readTo: number | null
  may: boolean
}) {
  const fields = useTicketFields()
  const { notes, history, error, retry, older } = useTimeline('ticket', ticket.id)
  const events = history.data?.pages.flatMap(({ data }) => data) ?? []
  return (
    <>
      {error && <ErrorState error={error} onRetry={retry} />}
      <Stream
        label="Conversation"
        unread={firstUnread(ticket.messages, readTo)}
        ownAt={ownAt(ticket, useViewer())}
        entries={[
          ...ticket.messages.map((message) => entryOfMessage(message, may ? ticket.id : undefined)),
          ...ticket.comments.map((comment) => entryOfComment(comment, may)),
          ...ticket.forwards.map((forward) => entryOfForward(forward, ticket.id, may)),
          ...(notes.data?.data ?? []).map((note) =>
            entryOfNote(note, note.operation && <UndoEntry operation={note.operation} />),
          ),
          ...entriesOfChanges(events.filter(isOf(ticket.id)), fields),
        ]}
        older={older}
      />
    </>
  )
}

/** Returns when the viewer last wrote on the ticket. */
const ownAt = ({ messages, comments }: Ticket, viewer: Person | undefined): string | undefined =>
  [...messages.filter((message) => message.sent_by_admin), ...comments]
    .filter(({ who }) => who === `${viewer?.firstName} ${viewer?.lastName}`)
    .map(({ created_at }) => created_at)
    .toSorted()
    .at(-1)

/** Names a ticket by its number in a change. */
const numbered = (id: unknown) => `#${String(id)}`

/** Returns the ticket's fields with the names of their options, and those that only its history has. */
function useTicketFields(): RecordFields {
  const { ticket_statuses, ticket_categories, board_lists, ticket_tags } = useLists(
    'ticket_statuses',
    'ticket_categories',
    'board_lists',
    'ticket_tags',
  )
  const fields = withWords(ticketFields, {
    status: byId(ticket_statuses),
    category: byId(ticket_categories),
    list_id: byId(board_lists),
    tag_ids: byId(ticket_tags),
  })
  return {
    ...fields,
    // The name of the requester is in `requester`.
    customer_user_id: { ...ticketFields.customer_user_id, isHiddenInHistory: true },
    internal_note: { label: 'Internal note' },
    absent_people: {
      label: 'Away',
      says: ['left this ticket unassigned, because the people of its rules are away: ', ''],
    },
    merged: { label: 'Ticket', words: numbered, says: ['merged ', ' into this ticket'] },
    merged_into: {
      label: 'Into',
      words: numbered,
      says: ['merged this ticket into ', ''],
      saysCleared: ['separated this ticket from ', ''],
    },
    split_to: { label: 'Split to', words: numbered, says: ['moved messages to ', ''] },
    split_from: { label: 'Split from', words: numbered, says: ['moved messages here from ', ''] },
  }
}

/** The history of a ticket has the events of those merged into it, whose merge it says itself. */
const isOf =
  (ticket: number) =>
  ({ changes }: RecordEvent) =>
    !changes.some(({ field, after }) => field === 'merged_into' && after === ticket)

/** Returns the changes that are neither messages nor notes, such as a status that was set. */
function entriesOfChanges(events: readonly RecordEvent[], fields: RecordFields): StreamEntry[] {
  const entries = changesToShow(events.filter((event) => !isShown(event, ['note']))).map(
    (event): StreamEntry => ({
      id: `event-${event.id}`,
      kind: 'change',
      at: event.at,
      who: event.who,
      state: event.operation && <UndoEntry operation={event.operation} />,
      content: <EventWords event={event} fields={fields} type="ticket" />,
    }),
  )
  // Changes at the same time, such as a new ticket and its assignment by a rule, stay in their order.
  return entries.toReversed()
}
