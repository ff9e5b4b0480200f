import { Suspense } from 'react'
import { Button } from '@mantine/core'
import { dayText } from '#shared/dates.ts'
import { type Ticket, tickets } from '#features/crm/support/contract.ts'
import { board } from '#features/crm/support/board.contract.ts'
import { ticketFields } from '#features/crm/support/fields.ts'
import { inDevelopment, ticketPriorities } from '#features/crm/support/rules.ts'
import classes from '#features/crm/support/web/support.module.css'
import { TicketRequester } from '#features/crm/support/web/TicketRequester.tsx'
import { OtherTickets } from '#features/crm/support/web/OtherTickets.tsx'
import { SnoozedUntil } from '#features/crm/support/web/SnoozedUntil.tsx'
import { TicketAssignee } from '#features/crm/support/web/TicketAssignee.tsx'
import { TicketTargets } from '#features/crm/support/web/TicketTargets.tsx'
import { EditTags, TicketTags } from '#features/crm/support/web/TicketTags.tsx'
import {
  IncidentChip,
  PriorityFlag,
  TicketCategory,
  TicketStatus,
} from '#features/crm/support/web/ticketWords.tsx'
import { useTicketChange } from '#features/crm/support/web/useTicketChange.ts'
import { useSend } from '#web/api/useSend.ts'
import { useLists } from '#web/filter/useOptions.ts'
import { Moment } from '#web/Moment.tsx'
import { LinkOverPage } from '#web/record/LinkOverPage.tsx'
import { Facts } from '#web/record/Facts.tsx'
import type { EditInPlace } from '#web/record/InPlace.tsx'
import { LastAct } from '#web/record/LastAct.tsx'
import { RailSection } from '#web/sheet/RailSection.tsx'
import { RecordPanels } from '#web/shell/recordPanels.tsx'
import { Tone } from '#web/parts/Tone.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'

const IncidentRail = lazyPart(() => import('#features/crm/support/web/incidents/IncidentRail.tsx'))
const SimilarTickets = lazyPart(
  () => import('#features/crm/support/web/incidents/SimilarTickets.tsx'),
  'SimilarTickets',
)

/** A ticket's properties: status, details, tasks, what other features have on it, and who has read it. */
export const TicketRail = ({ ticket, may }: { ticket: Ticket; may: boolean }) => (
  <>
    <TicketFacts ticket={ticket} may={may} />
    <TicketTargets ticket={ticket} />
    <TicketRequester ticket={ticket} may={may} />
    <RecordPanels type="ticket" id={ticket.id} />
    <Tasks ticket={ticket} may={may} />
    {may && (
      <Suspense>
        {isOfIncident(ticket) ? <IncidentRail ticket={ticket} /> : <SimilarTickets ticket={ticket} />}
      </Suspense>
    )}
    <OtherTickets id={ticket.id} />
    <Readers ticket={ticket} />
    {/* At the end, because it would move the properties below it. */}
    <div className={classes.lastAct}>
      <LastAct />
    </div>
  </>
)

const isOfIncident = ({ linked_count, incident_id }: Ticket) => linked_count > 0 || incident_id !== null

function TicketFacts({ ticket, may }: { ticket: Ticket; may: boolean }) {
  const edit = editorOf(may)
  const own = useOwnFacts(ticket, edit)
  const boardFacts = useBoardFacts(ticket, edit)
  return (
    <Facts
      title="Details"
      isTitleHidden
      facts={[
        { name: ticketFields.status.label, value: <TicketStatus ticket={ticket} /> },
        ...(ticket.is_snoozed ? [{ name: 'Snoozed', value: <SnoozedUntil ticket={ticket} /> }] : []),
        ...(isOfIncident(ticket) ? [{ name: 'Incident', value: <IncidentChip ticket={ticket} /> }] : []),
        {
          name: ticketFields.assignee_id.label,
          always: true,
          value: <TicketAssignee ticket={ticket} isMark isNamed />,
        },
        own.priority,
        own.category,
        {
          name: ticketFields.tag_ids.label,
          always: true,
          value: may ? <EditTags ticket={ticket} /> : <TicketTags ids={ticket.tag_ids} />,
        },
        own.delivery_date,
        ...boardFacts,
        own.customer_feedback,
        own.title,
        { name: ticketFields.created_at.label, value: <Moment at={ticket.created_at} /> },
      ]}
    />
  )
}

type Edit = ReturnType<typeof editorOf>

/** Returns the function that makes a fact editable in place, for viewers who can edit the ticket. */
const editorOf =
  (may: boolean) =>
  (
    kind: EditInPlace['kind'],
    value: string,
    onSave: EditInPlace['save'],
    choices?: EditInPlace['options'],
  ): EditInPlace | undefined =>
    may ? { kind, value, save: onSave, ...(choices ? { options: choices } : {}) } : undefined

function useOwnFacts(ticket: Ticket, edit: Edit) {
  const { id } = ticket
  const { ticket_categories } = useLists('ticket_categories')
  const change = useTicketChange()
  const { send: save } = useSend(tickets.update, { ...change, failure: 'throw' })
  const { send: setDate } = useSend(tickets.changeDeliveryDate, { ...change, failure: 'throw' })
  return {
    priority: {
      name: ticketFields.priority.label,
      value: <PriorityFlag id={ticket.priority} />,
      edit: edit(
        'choice',
        String(ticket.priority),
        (priority, version = ticket.version) =>
          save({
            params: { id },
            body: { priority: Number(priority), version, base: { priority: ticket.priority } },
          }),
        ticketPriorities.map((one) => [String(one.id), one.name] as const),
      ),
    },
    category: {
      name: ticketFields.category.label,
      value: <TicketCategory id={ticket.category} />,
      edit: edit(
        'choice',
        String(ticket.category),
        (category, version = ticket.version) =>
          save({
            params: { id },
            body: { category: Number(category), version, base: { category: ticket.category } },
          }),
        ticket_categories.map((one) => [String(one.id), one.name] as const),
      ),
    },
    delivery_date: {
      name: ticketFields.delivery_date.label,
      always: true,
      value: ticket.delivery_date && dayText(ticket.delivery_date),
      edit: edit('day', ticket.delivery_date ?? '', (day) =>
        setDate({ params: { ticket: id }, body: { delivery_date: day || null } }),
      ),
    },
    customer_feedback: {
      name: ticketFields.customer_feedback.label,
      value: ticket.customer_feedback ? 'Yes' : 'No',
      edit: edit(
        'choice',
        ticket.customer_feedback ? '1' : '0',
        (flag, version = ticket.version) =>
          save({
            params: { id },
            body: {
              customer_feedback: flag === '1',
              version,
              base: { customer_feedback: ticket.customer_feedback },
            },
          }),
        [
          ['1', 'Yes'],
          ['0', 'No'],
        ],
      ),
    },
    title: {
      name: ticketFields.title.label,
      value: ticket.title,
      edit: edit('text', ticket.title, (title, version = ticket.version) =>
        save({ params: { id }, body: { title, version, base: { title: ticket.title } } }),
      ),
    },
  }
}

/** Returns the list of the ticket's card and, if it has one, the card's texts. */
function useBoardFacts(ticket: Ticket, edit: Edit) {
  const { id } = ticket
  const { board_lists } = useLists('board_lists')
  const { send: moveCard } = useSend(board.moveCard, { ...useTicketChange(), failure: 'throw' })
  return [
    {
      name: ticketFields.list_id.label,
      value: board_lists.find((one) => one.id === ticket.list_id)?.name ?? 'None',
      edit: edit(
        'choice',
        String(ticket.list_id ?? ''),
        (list) =>
          moveCard({
            params: { ticket: id },
            body: list === '' ? { add_trello: 0 } : { list_id: Number(list) },
          }),
        [['', 'None'], ...board_lists.map((one) => [String(one.id), one.name] as const)],
      ),
    },
    ...(ticket.list_id === null
      ? []
      : [
          {
            name: ticketFields.list_card_title.label,
            value: ticket.list_card_title || ticket.title,
            edit: edit('text', ticket.list_card_title, (list_card_title) =>
              moveCard({ params: { ticket: id }, body: { list_card_title } }),
            ),
          },
          {
            name: ticketFields.list_card_desc.label,
            value: ticket.list_card_desc,
            edit: edit('text', ticket.list_card_desc, (list_card_desc) =>
              moveCard({ params: { ticket: id }, body: { list_card_desc } }),
            ),
          },
        ]),
  ]
}

/** The ticket's tasks, and the button that moves it to development. */
function Tasks({ ticket, may }: { ticket: Ticket; may: boolean }) {
  const { send, sending } = useSend(tickets.inDevelopment, useTicketChange())
  const { id, tasks } = ticket
  return (
    <RailSection title="Tasks">
      {tasks.length === 0 && <Soft>No development tasks yet.</Soft>}
      <ul className={classes.comments}>
        {tasks.map((task) => (
          <li key={task.id}>
            <LinkOverPage name="task" id={task.id}>{`#${task.id} ${task.title}`}</LinkOverPage>
            <div className={classes.buttons}>
              <Tone tone={task.status_tone}>{task.status_name}</Tone>
              {task.due_date && <Soft as="span">{`Due ${dayText(task.due_date)}`}</Soft>}
            </div>
          </li>
        ))}
      </ul>
      {may && !(tasks.length && ticket.status === inDevelopment) && (
        <div className={classes.buttons}>
          <Button
            size="xs"
            variant="default"
            loading={sending}
            onClick={() => void send({ params: { ticket: id } })}
          >
            {tasks.length ? 'Set status to “In development”' : 'Move to development'}
          </Button>
        </div>
      )}
    </RailSection>
  )
}

function Readers({ ticket: { readers } }: { ticket: Ticket }) {
  if (readers.length === 0) return null
  return (
    <RailSection title="Read by">
      <ul className={classes.comments}>
        {readers.map((reader) => (
          <Soft as="li" key={reader.name}>
            {reader.name} · <Moment at={reader.read_at} />
          </Soft>
        ))}
      </ul>
    </RailSection>
  )
}
