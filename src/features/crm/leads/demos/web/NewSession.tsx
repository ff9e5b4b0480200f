import { useQuery } from '@tanstack/react-query'
import { leads } from '#features/crm/leads/contract.ts'
import { demos } from '#features/crm/leads/demos/contract.ts'
import DemoForm from '#features/crm/leads/demos/web/DemoForm.tsx'
import { queryOptionsFor } from '#web/api/client.ts'

interface Props {
  lead: { lead_id: number }
  onClose: () => void
}

/** Dialog for a new session with a lead of a list. */
export default function NewSession({ lead: { lead_id }, onClose }: Props) {
  const lead = useQuery(queryOptionsFor(leads.show, { query: { id: lead_id } }))
  const sessions = useQuery(queryOptionsFor(demos.ofLead, { query: { lead_id } }))
  if (!lead.data || !sessions.data) return null
  return <DemoForm lead={lead.data.data} demo={undefined} types={sessions.data.types} onClose={onClose} />
}
