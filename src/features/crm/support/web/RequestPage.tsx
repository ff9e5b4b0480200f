import { Button } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { dayText } from '#shared/dates.ts'
import { type Ticket, tickets } from '#features/crm/support/contract.ts'
import { ticketFields } from '#features/crm/support/fields.ts'
import { requests } from '#features/crm/support/requests.contract.ts'
import { deletesTicket } from '#features/crm/support/rules.ts'
import { RequestConversation } from '#features/crm/support/web/RequestConversation.tsx'
import { TicketCategory, TicketState } from '#features/crm/support/web/ticketWords.tsx'
import { useRequest } from '#features/crm/support/web/useRequest.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import { Moment } from '#web/Moment.tsx'
import { Facts } from '#web/record/Facts.tsx'
import { RecordHeader } from '#web/record/RecordHeader.tsx'
import { RecordPage } from '#web/record/RecordPage.tsx'
import { useBackToList } from '#web/record/useBackToList.ts'
import { useUndo } from '#web/record/useUndo.ts'
import { useViewer } from '#web/session.ts'
import { Sheet } from '#web/sheet/Sheet.tsx'

/** Page for one of the viewer's own support requests. */
export function RequestPage() {
  const params = useParams({ strict: false }) as { request?: string; org_id?: string }
  const [id, org] = [Number(params.request), Number(params.org_id)]
  useRequest(id, org)
  return (
    <RecordPage<{ data: Ticket }>
      asked={queryOptionsFor(requests.show, { params: { id, org } })}
      title="Support request"
    >
      {({ data }) => (
        <Sheet
          head={
            <RecordHeader
              type="ticket"
              id={data.id}
              number={data.id}
              title={data.title}
              parents={[['/support-requests', 'Support requests']]}
            >
              <RemoveRequest ticket={data} />
            </RecordHeader>
          }
          rail={<RequestFacts ticket={data} />}
          summary={<TicketState id={data.status} />}
        >
          <RequestConversation key={data.id} ticket={data} />
        </Sheet>
      )}
    </RecordPage>
  )
}

const RequestFacts = ({ ticket }: { ticket: Ticket }) => (
  <Facts
    title="Details"
    facts={[
      { name: ticketFields.id.label, value: ticket.id },
      { name: ticketFields.status.label, value: <TicketState id={ticket.status} /> },
      { name: ticketFields.category.label, value: <TicketCategory id={ticket.category} /> },
      { name: ticketFields.organization_id.label, value: ticket.organization },
      {
        name: ticketFields.delivery_date.label,
        value: ticket.delivery_date && dayText(ticket.delivery_date),
      },
      { name: ticketFields.created_at.label, value: <Moment at={ticket.created_at} /> },
    ]}
  />
)

/** Button that moves the viewer's own request to the trash, with Undo. */
function RemoveRequest({ ticket }: { ticket: Ticket }) {
  const viewer = useViewer()
  const backToList = useBackToList('/support-requests')
  const { announceAct } = useUndo()
  const { send, sending } = useSend(tickets.remove, {
    onDone: ({ message, operation }) => {
      announceAct(message, operation)
      backToList()
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
