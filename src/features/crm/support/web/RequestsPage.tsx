import { useEffect } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { Button } from '@mantine/core'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import type { z } from 'zod'
import { useNavigate, useParams } from '@tanstack/react-router'
import { dayText } from '#shared/dates.ts'
import { type Ticket, type TicketRow, tickets } from '#features/crm/support/contract.ts'
import { RequestFilters, requests } from '#features/crm/support/requests.contract.ts'
import { ticketFields } from '#features/crm/support/fields.ts'
import { deletesTicket } from '#features/crm/support/rules.ts'
import { RequestReply } from '#features/crm/support/web/RequestReply.tsx'
import classes from '#features/crm/support/web/support.module.css'
import { entryOfMessage } from '#features/crm/support/web/ticketEntries.tsx'
import { TicketCategory, ticketQueries } from '#features/crm/support/web/ticketWords.tsx'
import { queryOptionsFor, keyOf } from '#web/api/client.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { Card, IfMay, NameLink } from '#web/list/cells.tsx'
import { columnsOfFields } from '#web/list/columns.ts'
import { choice } from '#web/filter/filters.tsx'
import { ListPage } from '#web/list/ListPage.tsx'
import { useList, type ListOf } from '#web/list/useList.ts'
import { asPairs, useLists } from '#web/filter/useOptions.ts'
import { listen, useChanged } from '#web/live.ts'
import { Moment } from '#web/Moment.tsx'
import { useOrganization } from '#web/organization.ts'
import { Facts } from '#web/record/Facts.tsx'
import { RecordHeader } from '#web/record/RecordHeader.tsx'
import { Stream } from '#web/stream/Stream.tsx'
import { RecordLayout, RecordPage } from '#web/record/RecordPage.tsx'
import { useUndo } from '#web/record/useUndo.ts'
import { useViewer } from '#web/session.ts'
import { TextLink } from '#web/parts/controls.tsx'
import { Tone } from '#web/parts/Tone.tsx'

const addressOf = ({ id, org_id }: TicketRow) => `/support-requests/request/${id}/${org_id}`

function Status({ id }: { id: number }) {
  const { ticket_statuses } = useLists('ticket_statuses')
  const found = ticket_statuses.find((one) => one.id === id)
  return <Tone tone={found?.tone ?? 'gray'}>{found?.name ?? `#${id}`}</Tone>
}

const { title, status, category, last_message_at } = ticketFields
const requestFields = { title, status, category, last_message_at }
const columns = columnsOfFields<TicketRow, typeof requestFields>(requestFields, {
  title: {
    cell: (row) => <NameLink to={addressOf(row)}>{row.title}</NameLink>,
    title: (row) => row.title,
    width: 360,
  },
  status: { cell: (row) => <Status id={row.status} />, width: 180 },
  category: { cell: (row) => <TicketCategory id={row.category} />, width: 140 },
  last_message_at: { cell: (row) => <Moment at={row.last_message_at} />, width: 140 },
})

const requestList: ListOf<TicketRow, typeof RequestFilters> = {
  name: 'support-requests',
  endpoint: requests.list,
  filters: RequestFilters,
  columns,
  rowKey: ({ id }) => id,
  rowName: ({ title }) => title,
  addressOf,
  card: (row) => requestCard(row),
  searchLabel: 'Search your requests',
}

/** Page with the viewer's own support requests. */
export function RequestsPage() {
  const list = useList(requestList)
  const { ticket_statuses } = useLists('ticket_statuses')
  const add = (
    <IfMay endpoint={tickets.create} input={{ body: { title: '', message: '' } }}>
      <TextLink primary to="/support-requests/create" icon={<IconPlus size={14} aria-hidden />}>
        New request
      </TextLink>
    </IfMay>
  )
  return (
    <ListPage
      list={list}
      actions={add}
      filters={[
        choice<z.output<typeof RequestFilters>>(
          'status',
          status.label,
          'All statuses',
          asPairs(ticket_statuses),
        ),
      ]}
      empty={{
        title: 'No requests yet',
        text: 'Create a request to contact support. Replies appear here.',
        action: add,
      }}
    />
  )
}

const requestCard = (row: TicketRow) => (
  <Card title={<NameLink to={addressOf(row)}>{row.title}</NameLink>} aside={<Status id={row.status} />}>
    <Moment at={row.last_message_at} />
  </Card>
)

/** Button that moves the viewer's own request to the trash, with Undo. */
function RemoveRequest({ ticket }: { ticket: Ticket }) {
  const viewer = useViewer()
  const navigate = useNavigate()
  const refresh = [...ticketQueries, requests.show]
  const { announceAct } = useUndo(refresh)
  const { send, sending } = useSend(tickets.remove, {
    refresh,
    onDone: ({ message, operation }) => {
      announceAct(message, operation)
      void navigate({ to: '/support-requests' })
    },
  })
  if (!viewer || !deletesTicket(viewer, ticket)) return null
  return (
    <Button
      size="xs"
      variant="default"
      color="red"
      loading={sending}
      onClick={() => void send({ params: { id: ticket.id } })}
    >
      Move to trash
    </Button>
  )
}

export function RequestPage() {
  const params = useParams({ strict: false }) as { request?: string; org_id?: string }
  const input = { params: { id: Number(params.request), org: Number(params.org_id) } }
  useOrganization(input.params.org)
  const mayListen = useMay(tickets.changeStatus, { params: { ticket: 1, status: 0 } })
  useChanged('ticket', mayListen ? [requests.show] : [])
  const queries = useQueryClient()
  const me = useViewer()?.id
  useEffect(() => {
    if (me === undefined) return
    return listen(
      `private-staff.${me}`,
      'requests',
      () => void queries.invalidateQueries({ queryKey: keyOf(requests.show) }),
    )
  }, [me, queries])
  return (
    <RecordPage<{ data: Ticket }> asked={queryOptionsFor(requests.show, input)} title="Support request">
      {({ data }) => (
        <>
          <RecordHeader
            type="ticket"
            id={data.id}
            title={data.title}
            parents={[['/support-requests', 'Support requests']]}
          >
            <RemoveRequest ticket={data} />
          </RecordHeader>
          <RecordLayout
            timeline={
              <div className={classes.talk}>
                <Stream
                  label="Conversation"
                  isInPage
                  entries={data.messages.map((message) => entryOfMessage(message))}
                />
                <RequestReply ticket={data} />
              </div>
            }
          >
            <Facts
              title="Details"
              facts={[
                { name: ticketFields.id.label, value: data.id },
                { name: ticketFields.status.label, value: <Status id={data.status} /> },
                { name: ticketFields.category.label, value: <TicketCategory id={data.category} /> },
                { name: ticketFields.organization_id.label, value: data.organization },
                {
                  name: ticketFields.delivery_date.label,
                  value: data.delivery_date && dayText(data.delivery_date),
                },
                { name: ticketFields.created_at.label, value: <Moment at={data.created_at} /> },
              ]}
            />
          </RecordLayout>
        </>
      )}
    </RecordPage>
  )
}
