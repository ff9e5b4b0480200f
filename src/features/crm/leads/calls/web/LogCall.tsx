import { useQuery } from '@tanstack/react-query'
import { leads } from '#features/crm/leads/contract.ts'
import { leadCalls } from '#features/crm/leads/calls/contract.ts'
import { CallForm } from '#features/crm/leads/calls/web/CallForm.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { Loaded } from '#web/list/states.tsx'
import { RightModal } from '#web/parts/RightModal.tsx'

interface Props {
  lead: { lead_id: number; companyName: string }
  onClose: () => void
}

/** Form for a call with a lead, beside the list that the user works through. */
export default function LogCall({ lead: { lead_id, companyName }, onClose }: Props) {
  const query = useQuery(queryOptionsFor(leads.show, { query: { id: lead_id } }))
  const calls = useQuery(queryOptionsFor(leadCalls.ofLead, { query: { lead_id } }))
  return (
    <RightModal title={`Call ${companyName}`} size={600} onClose={onClose}>
      <Loaded query={query}>
        {({ data }) => <CallForm lead={data} calls={calls.data?.data ?? []} onLogged={onClose} />}
      </Loaded>
    </RightModal>
  )
}
