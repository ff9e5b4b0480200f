import { offeredZones } from '#shared/zones.ts'
import type { Lead } from '#features/crm/leads/contract.ts'
import { NewOrganization, organizationOfLead, organizationStatuses } from '#features/crm/leads/organization/contract.ts'
import leadClasses from '#features/crm/leads/list/web/leads.module.css'
import { refreshedByLead } from '#features/crm/leads/cells/web/showInList.ts'
import { useSend } from '#web/api/useSend.ts'
import { ChoiceField, TextField } from '#web/form/fields.tsx'
import { FormModal } from '#web/form/FormModal.tsx'
import { useDraftForm } from '#web/form/useDraftForm.ts'
import { useWhyNotSave } from '#web/form/useWhyNotSave.ts'
import { toast } from '#web/shell/toast.ts'

const statuses = Object.entries(organizationStatuses).map(([value, label]) => ({ value, label }))

/** The organization that a lead becomes: begins with what is known of the lead. */
export default function CreateOrganizationForm({ lead, onClose }: { lead: Lead; onClose: () => void }) {
  const { send } = useSend(organizationOfLead.create, { refresh: refreshedByLead, failure: 'throw' })
  const whyNotSave = useWhyNotSave(organizationOfLead.create)
  const zones = [...new Set([lead.timezone, ...offeredZones])]
  const toSend = (values: Record<string, string>) => ({ ...values, lead_id: lead.lead_id })
  const form = useDraftForm<Record<string, string>>({
    name: `organization-of-${lead.lead_id}`,
    initial: { name: lead.companyName, status: '2', timezone: lead.timezone, state: '', country: lead.country },
    schema: NewOrganization,
    toSend,
    onSave: async (values) => {
      const reply = await send({ body: toSend(values) })
      if (reply) toast.success(reply.message)
    },
    onSaved: onClose,
  })
  return (
    <FormModal title={`Organization of ${lead.companyName}`} form={form} onClose={onClose} whyNotSave={whyNotSave} saveLabel="Create organization">
      <TextField form={form.fields} name="name" label="Name" required autoFocus maxLength={200} />
      <div className={leadClasses.pair}>
        <ChoiceField form={form.fields} name="status" label="Status" options={statuses} />
        <ChoiceField form={form.fields} name="timezone" label="Time zone" options={zones.map((name) => ({ value: name, label: name }))} />
      </div>
      <div className={leadClasses.pair}>
        <TextField form={form.fields} name="state" label="State" maxLength={80} />
        <TextField form={form.fields} name="country" label="Country" maxLength={80} />
      </div>
    </FormModal>
  )
}
