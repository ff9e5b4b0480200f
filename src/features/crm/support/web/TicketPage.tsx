import { useEffect, useEffectEvent, useState } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Button } from '@mantine/core'
import { Navigate, useNavigate, useParams } from '@tanstack/react-router'
import { dayText } from '#shared/dates.ts'
import type { Reply } from '#shared/endpoint.ts'
import { support, type Ticket } from '#features/crm/support/contract.ts'
import { addressOfTask } from '#features/tasks/tasks/contract.ts'
import { ticketFields } from '#features/crm/support/fields.ts'
import { deletesTicket, inDevelopment } from '#features/crm/support/rules.ts'
import { Comments } from '#features/crm/support/web/Comments.tsx'
import { Conversation } from '#features/crm/support/web/Conversation.tsx'
import { TicketOrganization } from '#features/crm/support/web/TicketOrganization.tsx'
import { ReplyForm } from '#features/crm/support/web/Reply.tsx'
import classes from '#features/crm/support/web/support.module.css'
import {
  ticketAddress,
  TicketCategory,
  ticketQueries,
  TicketStatus,
} from '#features/crm/support/web/ticketWords.tsx'
import { queryOptionsFor, keyOf } from '#web/api/client.ts'
import { ApiError } from '#web/api/errors.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { ErrorState } from '#web/list/states.tsx'
import { useLists } from '#web/filter/useOptions.ts'
import { useChanged } from '#web/live.ts'
import { Moment } from '#web/Moment.tsx'
import { useOrganization } from '#web/organization.ts'
import { Facts, type EditInPlace } from '#web/record/Facts.tsx'
import { byId, withWords } from '#web/record/fieldWords.ts'
import { LastAct } from '#web/record/LastAct.tsx'
import { RecordPanels } from '#web/shell/recordPanels.tsx'
import { RecordLayout } from '#web/record/RecordPage.tsx'
import { RecordHeader } from '#web/record/RecordHeader.tsx'
import { Timeline } from '#web/record/Timeline.tsx'
import { useUndo } from '#web/record/useUndo.ts'
import { useViewer } from '#web/session.ts'
import { NotFoundPage } from '#web/shell/NotFoundPage.tsx'
import { PageHeader } from '#web/parts/PageHeader.tsx'
import { PageLink } from '#web/parts/PageLink.tsx'
import { Panel } from '#web/parts/Panel.tsx'

const parents = [['/support', 'Support tickets']] as const

/**
 * Page for a ticket with its conversation. Opening it marks the ticket as read. A URL that names another
 * organization shows the not-found page.
 */
export function TicketPage() {
  const params = useParams({ strict: false }) as { ticket?: string; org_id?: string }
  const [id, org] = [Number(params.ticket), Number(params.org_id)]
  const isAddress = Number.isSafeInteger(id) && id > 0 && Number.isSafeInteger(org) && org >= 0
  return isAddress ? <TicketLoader key={id} id={id} org={org} /> : <NotFoundPage />
}

function TicketLoader({ id, org }: { id: number; org: number }) {
  const query = useQuery(queryOptionsFor(support.show, { params: { id } }))
  useOrganization(query.data?.data.org_id ?? org)
  const mayListen = useMay(support.changeStatus, { params: { ticket: id, status: 0 } })
  useChanged('ticket', mayListen ? [support.show] : [])
  useChanged('mails', mayListen ? [support.show] : [])
  const { data, error } = query
  const [isOpen, setOpen] = useState(false)
  if (data?.data.org_id === org && !isOpen) setOpen(true)
  if (error instanceof ApiError && error.status === 404) return <NotFoundPage />
  // A failed reload keeps the page and any input on it.
  if (data) {
    // Redirect if the URL has no organization, or if the ticket is moved to another organization while it is
    // open.
    if (data.data.org_id !== org)
      return org === 0 || isOpen ? <Navigate to={ticketAddress(data.data)} state replace /> : <NotFoundPage />
    return <TicketReadMarker ticket={data.data} />
  }
  return (
    <>
      <PageHeader title="Ticket" parents={parents} />
      {error ? (
        <ErrorState error={error} onRetry={() => void query.refetch()} />
      ) : (
        query.isLoading && <p role="status">Loading…</p>
      )}
    </>
  )
}

/**
 * Marks the ticket as read when it opens, and again when messages arrive while it is open. The line above the
 * new messages stays in place.
 */
function TicketReadMarker({ ticket }: { ticket: Ticket }) {
  const queries = useQueryClient()
  const [readTo] = useState(ticket.read_to)
  const { send } = useSend(support.getTicket)
  const last = ticket.messages.at(-1)?.id
  const open = useEffectEvent(async (newest: number | undefined) => {
    if (newest === undefined) return
    const reply = await send({ params: { id: ticket.id, org: ticket.org_id } })
    if (!reply) return
    void queries.invalidateQueries({ queryKey: keyOf(support.unread) })
    void queries.invalidateQueries({ queryKey: keyOf(support.list) })
  })
  useEffect(() => void open(last), [last])
  return <TicketDetails ticket={ticket} readTo={readTo} />
}

type Moved = Pick<Reply<typeof support.update>, 'message' | 'operation'>

/** Returns the options of `useSend` for a change of a ticket. */
function useTicketChange() {
  const { announceAct } = useUndo(ticketQueries)
  return {
    refresh: ticketQueries,
    onDone: (reply: Moved) => announceAct(reply.message, reply.operation),
  }
}

function TicketDetails({ ticket, readTo }: { ticket: Ticket; readTo: number | null }) {
  const { id } = ticket
  const { ticket_statuses, ticket_categories, board_lists } = useLists(
    'ticket_statuses',
    'ticket_categories',
    'board_lists',
  )
  const may = useMay(support.update, { params: { id }, body: {} })
  const words = withWords(ticketFields, {
    status: byId(ticket_statuses),
    category: byId(ticket_categories),
    list_id: byId(board_lists),
  })
  return (
    <>
      <TicketHead ticket={ticket} may={may} />
      <RecordLayout
        timeline={
          <div className={classes.talk}>
            <Conversation ticket={ticket} readTo={readTo} mayResend={may} />
            {may && <ReplyForm ticket={ticket} />}
            {may && <Comments ticket={ticket} />}
            <RecordPanels type="ticket" id={id} />
            <Timeline type="ticket" id={id} fields={words} />
          </div>
        }
      >
        <Panel dense aria-label="Status">
          <div className={classes.buttons}>
            <TicketStatus ticket={ticket} />
            <TicketCategory id={ticket.category} />
            {ticket.customer_feedback && <span className={classes.soft}>Feedback requested</span>}
          </div>
        </Panel>
        <TicketFacts ticket={ticket} may={may} />
        <TasksAndReaders ticket={ticket} />
        <LastAct refresh={ticketQueries} />
      </RecordLayout>
    </>
  )
}

function TicketHead({ ticket, may }: { ticket: Ticket; may: boolean }) {
  const { id } = ticket
  const viewer = useViewer()
  const navigate = useNavigate()
  const change = useTicketChange()
  const { send: develop, sending: developing } = useSend(support.inDevelopment, change)
  const { send: remove } = useSend(support.remove, {
    refresh: ticketQueries,
    onDone: (reply) => {
      change.onDone(reply)
      void navigate({ to: '/support' })
    },
  })
  const mayRemove = viewer !== undefined && deletesTicket(viewer, ticket)
  return (
    <RecordHeader type="ticket" id={id} title={ticket.title} parents={parents}>
      {may && !(ticket.tasks.length && ticket.status === inDevelopment) && (
        <Button
          size="xs"
          variant="default"
          loading={developing}
          onClick={() => void develop({ params: { ticket: id } })}
        >
          {ticket.tasks.length ? 'Set status to “In development”' : 'Move to development'}
        </Button>
      )}
      {mayRemove && (
        <Button size="xs" variant="default" color="red" onClick={() => void remove({ params: { id } })}>
          Move to trash
        </Button>
      )}
    </RecordHeader>
  )
}

function TicketFacts({ ticket, may }: { ticket: Ticket; may: boolean }) {
  const edit = editorOf(may)
  const ownFacts = useOwnFacts(ticket, edit)
  const boardFacts = useBoardFacts(ticket, edit)
  return (
    <Facts
      title="Details"
      facts={[
        ...ownFacts,
        ...boardFacts,
        {
          name: ticketFields.organization_id.label,
          value: <TicketOrganization ticket={ticket} may={may} />,
        },
        { name: ticketFields.requester.label, value: ticket.requester },
        {
          name: 'Email',
          value: ticket.requester_email && (
            <a href={`mailto:${ticket.requester_email}`}>{ticket.requester_email}</a>
          ),
        },
        { name: 'Folder', value: ticket.unique_folder },
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
  const { send: save } = useSend(support.update, { ...change, failure: 'throw' })
  const { send: setDate } = useSend(support.changeDeliveryDate, { ...change, failure: 'throw' })
  const seen = { version: ticket.version }
  return [
    { name: ticketFields.id.label, value: id },
    {
      name: ticketFields.title.label,
      value: ticket.title,
      edit: edit('text', ticket.title, (title) =>
        save({ params: { id }, body: { title, ...seen, base: { title: ticket.title } } }),
      ),
    },
    {
      name: ticketFields.category.label,
      value: ticket_categories.find((one) => one.id === ticket.category)?.name ?? `#${ticket.category}`,
      edit: edit(
        'choice',
        String(ticket.category),
        (category) =>
          save({
            params: { id },
            body: { category: Number(category), ...seen, base: { category: ticket.category } },
          }),
        ticket_categories.map((one) => [String(one.id), one.name] as const),
      ),
    },
    {
      name: ticketFields.delivery_date.label,
      always: true,
      value: ticket.delivery_date && dayText(ticket.delivery_date),
      edit: edit('day', ticket.delivery_date ?? '', (day) =>
        setDate({ params: { ticket: id }, body: { delivery_date: day || null } }),
      ),
    },
    {
      name: ticketFields.customer_feedback.label,
      value: ticket.customer_feedback ? 'Yes' : 'No',
      edit: edit(
        'choice',
        ticket.customer_feedback ? '1' : '0',
        (flag) =>
          save({
            params: { id },
            body: {
              customer_feedback: flag === '1',
              ...seen,
              base: { customer_feedback: ticket.customer_feedback },
            },
          }),
        [
          ['1', 'Yes'],
          ['0', 'No'],
        ],
      ),
    },
  ]
}

/** Returns the list of the ticket's card and, if it has one, the card's texts. */
function useBoardFacts(ticket: Ticket, edit: Edit) {
  const { id } = ticket
  const { board_lists } = useLists('board_lists')
  const { send: moveCard } = useSend(support.moveCard, { ...useTicketChange(), failure: 'throw' })
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

function TasksAndReaders({ ticket }: { ticket: Ticket }) {
  return (
    <>
      <Panel dense aria-label="Tasks">
        <h2>Tasks</h2>
        {ticket.tasks.length === 0 && <p className={classes.soft}>No development tasks yet.</p>}
        <ul className={classes.comments}>
          {ticket.tasks.map((task) => (
            <li key={task.id}>
              <PageLink to={addressOfTask(task.discipline, task.id)}>{`#${task.id} ${task.title}`}</PageLink>
            </li>
          ))}
        </ul>
      </Panel>
      {ticket.readers.length > 0 && (
        <Panel dense aria-label="Read by">
          <h2>Read by</h2>
          <ul className={classes.comments}>
            {ticket.readers.map((reader) => (
              <li key={reader.name} className={classes.soft}>
                {reader.name} · <Moment at={reader.read_at} />
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </>
  )
}
