import { leads, type Lead } from '#features/leads/contract.ts'
import { LazyMenu } from '#features/leads/web/LazyMenu.tsx'
import { useLeadOptions } from '#features/leads/web/LeadOptions.tsx'
import { refreshedByLead, showInList } from '#features/leads/web/showInList.ts'
import { useMay, useSend } from '#web/api/useSend.ts'

const nobody = 0

/** Who looks after a lead, changed in place. */
export function AssignCell({ lead }: { lead: Pick<Lead, 'lead_id' | 'companyName' | 'assign_to' | 'assigned_name'> }) {
  const { staff } = useLeadOptions()
  const { send } = useSend(leads.update, {
    refresh: refreshedByLead,
    showAtOnce: ({ body }, queries) =>
      showInList(queries, lead.lead_id, { assign_to: body.assign_to ?? null, assigned_name: staff.find(({ id }) => id === body.assign_to)?.name ?? null }),
  })
  const name = lead.assigned_name ?? 'Nobody'
  if (!useMay(leads.update, { body: { lead_id: lead.lead_id } })) return name
  return (
    <LazyMenu
      label={`Assignment of ${lead.companyName}`}
      current={{ name, tone: lead.assign_to === null ? 'gray' : 'blue' }}
      options={[{ id: nobody, name: 'Nobody', tone: 'gray' }, ...staff.map(({ id, name: called }) => ({ id, name: called, tone: 'blue' }))]}
      chosen={lead.assign_to ?? nobody}
      onChoose={(id) => void send({ body: { lead_id: lead.lead_id, assign_to: id === nobody ? null : id } })}
    />
  )
}
