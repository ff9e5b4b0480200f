import { useQuery } from '@tanstack/react-query'
import { ticketMerge } from '#features/crm/support/merge.contract.ts'
import { TicketLines } from '#features/crm/support/web/TicketLines.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'
import { Loaded, LoadingState } from '#web/list/states.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { RailSection } from '#web/sheet/RailSection.tsx'

/** Other tickets of the requester and their organization, beside the ticket. */
export function OtherTickets({ id }: { id: number }) {
  const asked = { params: { ticket: id } }
  const may = useMay(ticketMerge.similar, asked)
  const query = useQuery({ ...queryOptionsFor(ticketMerge.similar, asked), enabled: may })
  if (!may) return null
  return (
    <RailSection title="Other tickets">
      <Loaded query={query} what="Other tickets" skeleton={<LoadingState rows={1} />}>
        {({ data }) => (data.length === 0 ? <Soft>No other tickets.</Soft> : <TicketLines data={data} />)}
      </Loaded>
    </RailSection>
  )
}
