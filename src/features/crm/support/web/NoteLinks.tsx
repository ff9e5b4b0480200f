import { Suspense } from 'react'
import { can } from '#shared/access.ts'
import type { Ticket } from '#features/crm/support/contract.ts'
import type { NoteValues } from '#features/crm/support/web/NoteForm.tsx'
import classes from '#features/crm/support/web/support.module.css'
import { request } from '#web/api/client.ts'
import { ChoiceField } from '#web/form/inputs.tsx'
import type { DraftForm } from '#web/form/useDraftForm.ts'
import { useViewer } from '#web/session.ts'
import { lazyPart } from '#web/shell/lazy.tsx'

const SearchSelect = lazyPart(() => import('#web/form/SearchSelect.tsx'))

/** Fields for the message or lead that a note is about. */
export default function NoteLinks({ form, ticket }: { form: DraftForm<NoteValues>; ticket: Ticket }) {
  const maySearchLeads = can(useViewer(), 'lead_list')
  return (
    <div className={classes.options}>
      <ChoiceField
        form={form.fields}
        name="message_id"
        label="Related message"
        options={[
          { value: '', label: 'Entire ticket' },
          ...ticket.messages.map(({ id, who }, index) => ({
            value: String(id),
            label: `${index + 1}. ${who}`,
          })),
        ]}
      />
      {maySearchLeads && <LeadField form={form} />}
    </div>
  )
}

const findLeads = async (search: string, signal: AbortSignal) => {
  const { leads } = await import('#features/crm/leads/contract.ts')
  const { data } = await request(
    leads.list,
    { query: { search, fromDate: 'all', toDate: 'all' } },
    { signal },
  )
  return data.leads.map(({ lead_id, companyName }) => ({
    value: String(lead_id),
    label: `${companyName} (#${lead_id})`,
  }))
}
const noLead = { value: '', label: 'None' }

/** Field for choosing, by name, the lead that a comment is about. */
function LeadField({ form: { fields } }: { form: DraftForm<NoteValues> }) {
  const { value, ...input } = fields.getInputProps('lead_id')
  return (
    <Suspense>
      <SearchSelect
        label="Related lead"
        of="lead"
        find={findLeads}
        fixed={[noLead]}
        data-path="lead_id"
        value={String(value)}
        {...input}
      />
    </Suspense>
  )
}
