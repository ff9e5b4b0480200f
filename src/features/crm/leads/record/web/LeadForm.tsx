import { useState, type ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import { dayText } from '#shared/dates.ts'
import { leads, messages, type Lead } from '#features/crm/leads/contract.ts'
import { leadFields } from '#features/crm/leads/fields.ts'
import { LeadChange, NewLead } from '#features/crm/leads/input.contract.ts'
import { demoStates, leadTypes, rejectedStatus } from '#features/crm/leads/rules.ts'
import { DuplicateWarning } from '#features/crm/leads/record/web/DuplicateWarning.tsx'
import { NewTag } from '#features/crm/leads/record/web/NewTag.tsx'
import { useSaveLead } from '#features/crm/leads/record/web/useSaveLead.tsx'
import { LeadOptionsProvider, useLeadOptions } from '#features/crm/leads/record/web/LeadOptions.tsx'
import {
  changesOf,
  emptyLead,
  toSend,
  valuesOf,
  type LeadValues,
} from '#features/crm/leads/record/web/leadValues.ts'
import { leadQueries } from '#features/crm/leads/record/web/patchLeadCaches.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { offeredZones } from '#shared/zones.ts'
import { ChoiceField, DayField, LongTextField, TextField, type Option } from '#web/form/inputs.tsx'
import { FormModal } from '#web/form/FormModal.tsx'
import { useDraftForm, type DraftForm } from '#web/form/useDraftForm.ts'
import { useWhyNotSave } from '#web/form/useWhyNotSave.ts'
import { ErrorState, LoadingState } from '#web/list/states.tsx'
import { useMyProducts } from '#web/session.ts'
import { RightModal } from '#web/parts/RightModal.tsx'
import { askToProceed, showMessage } from '#web/message/messages.ts'
import { toast } from '#web/message/toast.ts'
import { useScope } from '#web/shell/useScope.ts'
import { today } from '#web/time.ts'
import { FieldPair } from '#web/form/FieldPair.tsx'
import { Toggles } from '#web/parts/Toggles.tsx'

/** Form in the right-side modal for creating a lead, or for editing the one with this ID. */
export default function LeadForm({ id, onClose }: { id?: number; onClose: () => void }) {
  return (
    <LeadOptionsProvider>
      {id === undefined ? <NewLeadForm onClose={onClose} /> : <StoredLead id={id} onClose={onClose} />}
    </LeadOptionsProvider>
  )
}

function NewLeadForm({ onClose }: { onClose: () => void }) {
  const product = useScope()
  const { send } = useSend(leads.create, { refresh: leadQueries, failure: 'throw' })
  const whyNotSave = useWhyNotSave(leads.create, { body: { companyName: '', lead_for: 1 } })
  const form = useDraftForm<LeadValues>({
    name: 'lead-new',
    initial: { ...emptyLead, lead_for: String(product ?? ''), lead_date: today() },
    schema: NewLead,
    toSend,
    onSave: async (values) => {
      const reply = await send({ body: toSend(values) })
      if (reply) toast.success(`${reply.data.companyName} created.`)
    },
    onSaved: onClose,
  })
  return (
    <FormModal
      title="New lead"
      form={form}
      onClose={onClose}
      whyNotSave={whyNotSave}
      saveLabel="Create lead"
      side="right"
      size={560}
    >
      <LeadFields
        form={form}
        warning={
          <DuplicateWarning
            leadFor={form.fields.values.lead_for}
            companyName={form.fields.values.companyName}
            email={form.fields.values.email}
          />
        }
      />
    </FormModal>
  )
}

function StoredLead({ id, onClose }: { id: number; onClose: () => void }) {
  const query = useQuery({
    ...queryOptionsFor(leads.show, { query: { id } }),
    staleTime: 0,
    refetchOnWindowFocus: false,
  })
  // The lead as first loaded; changes that others save in the meantime must not replace the form's contents.
  const [lead, setLead] = useState<Lead>()
  if (!lead && query.data && !query.isFetching) setLead(query.data.data)
  if (lead) return <EditLeadForm lead={lead} onClose={onClose} />
  return (
    <RightModal title="Edit lead" onClose={onClose} size={560}>
      {query.error ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <LoadingState />
      )}
    </RightModal>
  )
}

function EditLeadForm({ lead, onClose }: { lead: Lead; onClose: () => void }) {
  const { save, dialog } = useSaveLead(lead)
  const whyNotSave = useWhyNotSave(leads.update, { body: { lead_id: lead.lead_id } })
  const stored = valuesOf(lead)
  const form = useDraftForm<LeadValues>({
    name: `lead-${lead.lead_id}`,
    initial: stored,
    schema: LeadChange,
    toSend: (values) => ({ ...toSend(values), lead_id: lead.lead_id }),
    confirmSave: async ({ companyName, followup_date: day }) =>
      day === stored.followup_date ||
      askToProceed(messages.followupQuestion, {
        about: `${companyName}: ${day ? dayText(day) : 'no follow-up date'}`,
      }),
    onSave: async (values) => {
      await save(changesOf(stored, values), form.outdated)
      toast.success(`${values.companyName} saved.`)
      if (values.followup_date !== stored.followup_date) void showMessage(messages.dateChanged)
    },
    onSaved: onClose,
  })
  return (
    <FormModal
      title={`Edit ${lead.companyName}`}
      form={form}
      onClose={onClose}
      whyNotSave={whyNotSave}
      side="right"
      size={560}
    >
      <LeadFields
        form={form}
        warning={
          <DuplicateWarning
            leadFor={form.fields.values.lead_for}
            companyName={form.fields.values.companyName}
            email={form.fields.values.email}
            except={lead.lead_id}
          />
        }
      />
      {dialog}
    </FormModal>
  )
}

/** Adds the current value to the options if it is no longer among them, so that saving does not lose it. */
const withCurrent = (options: readonly Option[], value: string): readonly Option[] =>
  value === '' || options.some((one) => one.value === value) ? options : [...options, { value, label: value }]
const nobody: Option = { value: '', label: '—' }
const byId = (entries: readonly { id: number; name: string }[]): Option[] =>
  entries.map(({ id, name }) => ({ value: String(id), label: name }))
const byName = (names: readonly string[]): Option[] => names.map((name) => ({ value: name, label: name }))
const ofTable = (table: object): Option[] =>
  Object.entries(table).map(([value, label]) => ({ value, label: String(label) }))

function LeadFields({ form: { fields }, warning }: { form: DraftForm<LeadValues>; warning: ReactNode }) {
  const field = { form: fields }
  return (
    <>
      <ContactFields form={fields} warning={warning} />
      <PipelineFields form={fields} />
      <FieldPair>
        <DayField {...field} name="lead_date" label={leadFields.lead_date.label} />
        <DayField {...field} name="followup_date" label="Follow-up date" ahead />
      </FieldPair>
      <FieldPair>
        <DayField {...field} name="request_date" label={leadFields.request_date.label} />
        <DayField {...field} name="implement_date" label={leadFields.implement_date.label} />
      </FieldPair>
      <TagFields form={fields} />
      <LongTextField
        {...field}
        name="additional_info"
        label={leadFields.additional_info.label}
        maxLength={10_000}
      />
      <LongTextField {...field} name="answer" label={leadFields.answer.label} rows={2} maxLength={2000} />
      <LongTextField {...field} name="join" label={leadFields.join.label} rows={2} maxLength={2000} />
    </>
  )
}

type Fields = DraftForm<LeadValues>['fields']

/** Company, contact, and website. */
function ContactFields({ form, warning }: { form: Fields; warning: ReactNode }) {
  const field = { form }
  return (
    <>
      <TextField
        {...field}
        name="companyName"
        label={leadFields.companyName.label}
        required
        autoFocus
        maxLength={200}
      />
      <FieldPair>
        <TextField {...field} name="contactName" label={leadFields.contactName.label} maxLength={200} />
        <TextField {...field} name="country" label={leadFields.country.label} maxLength={80} />
      </FieldPair>
      <FieldPair>
        <TextField {...field} name="email" label={leadFields.email.label} type="email" maxLength={254} />
        <TextField {...field} name="phone" label={leadFields.phone.label} type="tel" maxLength={60} />
      </FieldPair>
      {warning}
      <FieldPair>
        <TextField
          {...field}
          name="company_url"
          label={leadFields.company_url.label}
          type="url"
          placeholder="https://"
          maxLength={2000}
        />
        <ChoiceField
          {...field}
          name="timezone"
          label={leadFields.timezone.label}
          options={withCurrent(byName(offeredZones), form.values.timezone)}
        />
      </FieldPair>
    </>
  )
}

/** Product, status, source, and assignee. */
function PipelineFields({ form }: { form: Fields }) {
  const { statuses, colors, services, sources, staff } = useLeadOptions()
  const products = useMyProducts()
  const mayPrioritize = useMay(leads.changeColor, { query: { id: 1, color: 0 } })
  const { values } = form
  const field = { form }
  return (
    <>
      <FieldPair>
        <ChoiceField
          {...field}
          name="lead_for"
          label={leadFields.lead_for.label}
          required
          options={products.map(({ id, name }) => ({ value: String(id), label: name }))}
        />
        <ChoiceField
          {...field}
          name="services"
          label={leadFields.services.label}
          options={withCurrent([nobody, ...byName(services)], values.services)}
        />
      </FieldPair>
      <FieldPair>
        <ChoiceField
          {...field}
          name="status"
          label={leadFields.status.label}
          options={byId(
            statuses.filter(({ id }) => id !== rejectedStatus || values.status === String(rejectedStatus)),
          )}
        />
        <ChoiceField
          {...field}
          name="color"
          label={leadFields.color.label}
          options={byId(colors)}
          disabled={!mayPrioritize}
          description={mayPrioritize ? undefined : 'Your role can’t set priorities.'}
        />
      </FieldPair>
      <FieldPair>
        <ChoiceField
          {...field}
          name="lead_type"
          label={leadFields.lead_type.label}
          options={ofTable(leadTypes)}
        />
        <ChoiceField
          {...field}
          name="hear_about"
          label={leadFields.hear_about.label}
          options={withCurrent([nobody, ...byName(sources)], values.hear_about)}
        />
      </FieldPair>
      <FieldPair>
        <ChoiceField
          {...field}
          name="assign_to"
          label={leadFields.assign_to.label}
          options={withCurrent([nobody, ...byId(staff)], values.assign_to)}
        />
        <ChoiceField
          {...field}
          name="demo_status"
          label={leadFields.demo_status.label}
          options={ofTable(demoStates)}
        />
      </FieldPair>
    </>
  )
}

function TagFields({ form }: { form: Fields }) {
  const { cog_types, tags } = useLeadOptions()
  const { values } = form
  return (
    <>
      <Toggles
        label={leadFields.tag_ids.label}
        options={byId(tags)}
        chosen={values.tag_ids}
        onChange={(chosen) => form.setFieldValue('tag_ids', chosen)}
      />
      <NewTag onMade={(id) => form.setFieldValue('tag_ids', [...new Set([...values.tag_ids, String(id)])])} />
      <Toggles
        label={leadFields.cog_types.label}
        options={byName(cog_types)}
        chosen={values.cog_types}
        onChange={(chosen) => form.setFieldValue('cog_types', chosen)}
      />
    </>
  )
}
