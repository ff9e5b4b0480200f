import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { SegmentedControl } from '@mantine/core'
import '@mantine/core/styles/FloatingIndicator.css'
import '@mantine/core/styles/SegmentedControl.css'
import { mayOpen } from '#shared/access.ts'
import type { Fields } from '#shared/field.ts'
import { offeredZones } from '#shared/zones.ts'
import type { Lead } from '#features/crm/leads/contract.ts'
import {
  NewOrganization,
  organizationOfLead,
  type WinPreview,
} from '#features/crm/leads/organization/contract.ts'
import { organizationFields, organizationStatuses } from '#features/crm/organizations/fields.ts'
import { userFields } from '#features/crm/users/fields.ts'
import { FieldPair } from '#web/form/FieldPair.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import { Field } from '#web/form/Field.tsx'
import type { FieldValues } from '#web/form/fieldValues.ts'
import { PersonField } from '#web/form/PersonField.tsx'
import { FormModal } from '#web/form/FormModal.tsx'
import { OrganizationField } from '#web/form/OrganizationField.tsx'
import { useFieldsForm, type FieldsForm, type Sent } from '#web/form/useFieldsForm.ts'
import { useWhyNotSave } from '#web/form/useWhyNotSave.ts'
import { asChoices, useStaff } from '#web/filter/useOptions.ts'
import { ErrorState, LoadingState } from '#web/list/states.tsx'
import { useUndo } from '#web/record/useUndo.ts'
import { useViewer } from '#web/session.ts'
import { RightModal } from '#web/parts/RightModal.tsx'
import { pageOf } from '#web/record/recordAddress.ts'

const statuses = Object.entries(organizationStatuses).map(([value, label]) => ({ value, label }))

/** Form for winning a lead: shows what will be created, or links an existing organization. */
export default function CreateOrganizationForm({ lead, onClose }: { lead: Lead; onClose: () => void }) {
  const query = useQuery(queryOptionsFor(organizationOfLead.preview, { query: { lead_id: lead.lead_id } }))
  if (query.data) return <WinForm lead={lead} preview={query.data.data} onClose={onClose} />
  return (
    <RightModal title={`Organization for ${lead.companyName}`} onClose={onClose}>
      {query.error ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <LoadingState />
      )}
    </RightModal>
  )
}

const { first_name, last_name, email, phone } = userFields
const winFields = {
  choice: { label: 'Organization', empty: 'new' },
  organization_id: { label: 'Organization', empty: '' },
  name: { ...organizationFields.name, empty: '' },
  status: { ...organizationFields.status, empty: '2' },
  trial_end_date: { ...organizationFields.trial_end_date, empty: '' },
  timezone: { ...organizationFields.timezone, empty: '' },
  state: { ...organizationFields.state, empty: '' },
  country: { ...organizationFields.country, empty: '' },
  first_name,
  last_name,
  email,
  phone,
  stage: { label: 'First onboarding stage', empty: '' },
  assign_to: { label: 'Onboarding assignee', empty: '' },
} as const satisfies Fields
type Values = FieldValues<typeof winFields>

function WinForm({ lead, preview, onClose }: { lead: Lead; preview: WinPreview; onClose: () => void }) {
  const viewer = useViewer()
  const navigate = useNavigate()
  const { announceAct } = useUndo()
  const { send } = useSend(organizationOfLead.create, { failure: 'throw' })
  const whyNotSave = useWhyNotSave(organizationOfLead.create)
  const form = useFieldsForm({
    name: `organization-of-${lead.lead_id}`,
    fields: winFields,
    schema: NewOrganization,
    initial: valuesOf(preview),
    adapt: (sent) => inputOf(lead, sent),
    onSave: async (sent) => {
      const reply = await send({ body: inputOf(lead, sent) as never })
      if (!reply) return
      announceAct(reply.message, reply.operation)
      // Viewers who cannot open organizations are taken to the onboarding instead (A §6).
      if (reply.data.onboarding_id !== null && viewer && !mayOpen(viewer.role_id, '/organizations'))
        await navigate({
          to: pageOf('onboarding', reply.data.onboarding_id, lead.companyName),
          ignoreBlocker: true,
        })
    },
    onSaved: onClose,
  })
  const isNew = form.fields.values.choice === 'new'
  return (
    <FormModal
      title={`Organization for ${lead.companyName}`}
      form={form}
      onClose={onClose}
      whyNotSave={whyNotSave}
      saveLabel={isNew ? 'Create organization' : 'Link to organization'}
      side="right"
    >
      <SegmentedControl
        aria-label="Organization"
        data={[
          { value: 'new', label: 'New organization' },
          { value: 'existing', label: 'Existing organization' },
        ]}
        {...form.fields.getInputProps('choice')}
      />
      {!isNew && (
        <OrganizationField
          {...form.at('organization_id')}
          fixed={preview.likely.map(({ organization_id, name, country }) => ({
            value: String(organization_id),
            label: [name, country].filter(Boolean).join(', '),
          }))}
        />
      )}
      {isNew && <OrganizationInputs form={form} preview={preview} />}
      <UserAndOnboarding form={form} lead={lead} preview={preview} />
      {preview.lead_status && <p>The lead’s status will change to {preview.lead_status}.</p>}
    </FormModal>
  )
}

function valuesOf(preview: WinPreview): Partial<Values> {
  return {
    name: preview.name,
    trial_end_date: preview.trial_end_date,
    timezone: preview.timezone,
    state: preview.state,
    country: preview.country,
    ...(preview.user_of === null ? preview.user : null),
    stage: String(preview.stages[0]?.id ?? ''),
    assign_to: String(preview.assign_to ?? ''),
  }
}

/** Returns the request body: a new organization or the ID of an existing one, its first user, and its onboarding. */
function inputOf(
  { lead_id }: Lead,
  {
    choice,
    organization_id,
    first_name,
    last_name,
    email,
    phone,
    stage,
    assign_to,
    trial_end_date,
    ...organization
  }: Sent<typeof winFields>,
) {
  return {
    lead_id,
    ...(choice === 'new'
      ? { ...organization, ...(Number(organization.status) === 2 ? { trial_end_date } : {}) }
      : { organization_id }),
    user: first_name.trim() === '' ? null : { first_name, last_name, email, phone },
    onboarding:
      stage === '' ? null : { stage: Number(stage), assign_to: assign_to ? Number(assign_to) : null },
  }
}

interface InputsProps {
  form: FieldsForm<typeof winFields>
  preview: WinPreview
}

function OrganizationInputs({ form, preview }: InputsProps) {
  const zones = [...new Set([preview.timezone, ...offeredZones])]
  return (
    <>
      <Field form={form} name="name" autoFocus />
      <FieldPair>
        <Field form={form} name="status" options={statuses} />
        {form.fields.values.status === '2' && <Field form={form} name="trial_end_date" />}
      </FieldPair>
      <Field
        form={form}
        name="timezone"
        required={false}
        options={zones.map((name) => ({ value: name, label: name }))}
      />
      <FieldPair>
        <Field form={form} name="state" />
        <Field form={form} name="country" />
      </FieldPair>
    </>
  )
}

function UserAndOnboarding({ form, lead, preview }: InputsProps & { lead: Lead }) {
  const staff = useStaff(lead.lead_for)
  return (
    <>
      <p>
        {preview.user_of === null
          ? 'Add a first user, or leave the first name empty to skip this step.'
          : `The contact is already a user at ${preview.user_of}. You can add a different first user.`}
      </p>
      <FieldPair>
        <Field form={form} name="first_name" maxLength={100} />
        <Field form={form} name="last_name" maxLength={100} />
      </FieldPair>
      <FieldPair>
        <Field form={form} name="email" maxLength={254} />
        <Field form={form} name="phone" maxLength={100} />
      </FieldPair>
      <FieldPair>
        <Field
          form={form}
          name="stage"
          options={[...asChoices(preview.stages), { value: '', label: 'No onboarding' }]}
        />
        <PersonField {...form.at('assign_to')} staff={staff} none="Unassigned" />
      </FieldPair>
    </>
  )
}
