import { ticketFields } from '#features/crm/support/fields.ts'
import type { Ticket } from '#features/crm/support/contract.ts'
import {
  entryOfComment,
  entryOfMessage,
  entryOfNote,
  firstUnread,
} from '#features/crm/support/web/ticketEntries.tsx'
import { useLists } from '#web/filter/useOptions.ts'
import { ErrorState } from '#web/list/states.tsx'
import { EventWords, UndoEntry } from '#web/record/EventWords.tsx'
import { byId, withWords, type RecordFields } from '#web/record/fieldWords.ts'
import { isNote, useTimeline } from '#web/record/useTimeline.ts'
import type { StreamEntry } from '#web/stream/entries.ts'
import { Stream } from '#web/stream/Stream.tsx'
import type { RecordEvent } from '#shared/record.contract.ts'

/** Fields that the conversation shows in other entries: the texts, and their files and emails. */
const saidElsewhere = new Set(['reply', 'message', 'comment', 'from', 'files', 'resent', 'mail', 'task'])

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
  const { notes, history } = useTimeline('ticket', ticket.id, 'ticket')
  const events = history.data?.pages.flatMap(({ data }) => data) ?? []
  const error = history.error ?? notes.error
  const retry = () =>
    void Promise.all([history, notes].filter(({ isError }) => isError).map(({ refetch }) => refetch()))
  return (
    <>
      {error && <ErrorState error={error} onRetry={retry} />}
      <Stream
        label="Conversation"
        unread={firstUnread(ticket.messages, readTo)}
        entries={[
          ...ticket.messages.map((message) => entryOfMessage(message, may ? ticket.id : undefined)),
          ...ticket.comments.map(entryOfComment),
          ...(notes.data?.data ?? []).map((note) =>
            entryOfNote(note, note.operation && <UndoEntry operation={note.operation} />),
          ),
          ...entriesOfChanges(events, fields),
        ]}
        older={
          history.hasNextPage
            ? {
                label: 'Show older changes',
                isLoading: history.isFetchingNextPage,
                load: () => void history.fetchNextPage(),
              }
            : undefined
        }
      />
    </>
  )
}

/** Returns the ticket's fields with the names of their options. */
function useTicketFields(): RecordFields {
  const { ticket_statuses, ticket_categories, board_lists } = useLists(
    'ticket_statuses',
    'ticket_categories',
    'board_lists',
  )
  return withWords(ticketFields, {
    status: byId(ticket_statuses),
    category: byId(ticket_categories),
    list_id: byId(board_lists),
  })
}

/** Returns the changes that are neither messages nor notes, such as a status that was set. */
function entriesOfChanges(events: readonly RecordEvent[], fields: RecordFields): StreamEntry[] {
  return events
    .filter((event) => !isNote(event))
    .map((event) => ({ ...event, changes: event.changes.filter(({ field }) => !saidElsewhere.has(field)) }))
    .filter(
      ({ act, changes, operation }) =>
        act !== 'Received' && (changes.length > 0 || operation || !isSaid(act)),
    )
    .map((event) => ({
      id: `event-${event.id}`,
      kind: 'change',
      at: event.at,
      who: event.who,
      state: event.operation && <UndoEntry operation={event.operation} />,
      content: <EventWords event={event} fields={fields} />,
    }))
}

/** Returns whether an event only recorded a message, a note, or a reader, which the page shows elsewhere. */
const isSaid = (act: string) =>
  act === 'Opened' || act === 'Replied' || act === 'Commented' || act === 'Replied to a request'
