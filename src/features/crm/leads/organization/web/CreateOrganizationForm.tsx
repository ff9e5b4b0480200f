import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { SegmentedControl } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { mayOpen } from '#shared/access.ts'
import { offeredZones } from '#shared/zones.ts'
import type { Lead } from '#features/crm/leads/contract.ts'
import {
  NewOrganization,
  organizationOfLead,
  type WinPreview,
} from '#features/crm/leads/organization/contract.ts'
import { organizationStatuses } from '#features/crm/organizations/fields.ts'
import { FieldPair } from '#web/form/FieldPair.tsx'
import { leadQueries } from '#features/crm/leads/record/web/patchLeadCaches.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import { ChoiceField, DayField, TextField } from '#web/form/inputs.tsx'
import { PersonField } from '#web/form/PersonField.tsx'
import { FormModal } from '#web/form/FormModal.tsx'
import { OrganizationField } from '#web/form/OrganizationField.tsx'
import { useDraftForm } from '#web/form/useDraftForm.ts'
import { useWhyNotSave } from '#web/form/useWhyNotSave.ts'
import { useStaff } from '#web/filter/useOptions.ts'
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

type Values = Record<string, string>

const noUser = { first_name: '', last_name: '', email: '', phone: '' }

function WinForm({ lead, preview, onClose }: { lead: Lead; preview: WinPreview; onClose: () => void }) {
  const viewer = useViewer()
  const navigate = useNavigate()
  const { announceAct } = useUndo(leadQueries)
  const { send } = useSend(organizationOfLead.create, { refresh: leadQueries, failure: 'throw' })
  const whyNotSave = useWhyNotSave(organizationOfLead.create)
  const form = useDraftForm<Values>({
    name: `organization-of-${lead.lead_id}`,
    initial: valuesOf(preview),
    schema: NewOrganization,
    toSend: (values) => inputOf(lead, values),
    onSave: async (values) => {
      const reply = await send({ body: inputOf(lead, values) as never })
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
  const isNew = form.fields.values['choice'] === 'new'
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
          form={form.fields}
          name="organization_id"
          label="Organization"
          required
          fixed={preview.likely.map(({ organization_id, name, country }) => ({
            value: String(organization_id),
            label: [name, country].filter(Boolean).join(', '),
          }))}
        />
      )}
      {isNew && <OrganizationFields fields={form.fields} preview={preview} />}
      <UserAndOnboarding fields={form.fields} lead={lead} preview={preview} />
      {preview.lead_status && <p>The lead’s status will change to {preview.lead_status}.</p>}
    </FormModal>
  )
}

function valuesOf(preview: WinPreview): Values {
  const user = preview.user_of === null ? (preview.user ?? noUser) : noUser
  return {
    choice: 'new',
    organization_id: '',
    name: preview.name,
    status: '2',
    trial_end_date: preview.trial_end_date,
    timezone: preview.timezone,
    state: preview.state,
    country: preview.country,
    ...user,
    stage: String(preview.stages[0]?.id ?? ''),
    assign_to: String(preview.assign_to ?? ''),
  }
}

/** Returns the request body: a new organization or the ID of an existing one, its first user, and its onboarding. */
function inputOf(lead: Lead, values: Values) {
  const {
    choice,
    organization_id,
    first_name = '',
    last_name,
    email,
    phone,
    stage,
    assign_to,
    trial_end_date,
    ...organization
  } = values
  const isNew = choice === 'new'
  return {
    lead_id: lead.lead_id,
    ...(isNew
      ? {
          ...organization,
          status: Number(values['status']),
          ...(values['status'] === '2' ? { trial_end_date } : {}),
        }
      : { organization_id: Number(organization_id) }),
    user: first_name.trim() === '' ? null : { first_name, last_name, email, phone },
    onboarding:
      stage === '' ? null : { stage: Number(stage), assign_to: assign_to ? Number(assign_to) : null },
  }
}

interface FieldsProps {
  fields: UseFormReturnType<Values>
  preview: WinPreview
}

function OrganizationFields({ fields, preview }: FieldsProps) {
  const zones = [...new Set([preview.timezone, ...offeredZones])]
  return (
    <>
      <TextField form={fields} name="name" label="Name" required autoFocus maxLength={200} />
      <FieldPair>
        <ChoiceField form={fields} name="status" label="Status" options={statuses} />
        {fields.values['status'] === '2' && (
          <DayField form={fields} name="trial_end_date" label="Trial ends" />
        )}
      </FieldPair>
      <ChoiceField
        form={fields}
        name="timezone"
        label="Time zone"
        options={zones.map((name) => ({ value: name, label: name }))}
      />
      <FieldPair>
        <TextField form={fields} name="state" label="State" maxLength={80} />
        <TextField form={fields} name="country" label="Country" maxLength={80} />
      </FieldPair>
    </>
  )
}

function UserAndOnboarding({ fields, lead, preview }: FieldsProps & { lead: Lead }) {
  const staff = useStaff(lead.lead_for)
  return (
    <>
      <p>
        {preview.user_of === null
          ? 'Add a first user, or leave the first name empty to skip this step.'
          : `The contact is already a user at ${preview.user_of}. You can add a different first user.`}
      </p>
      <FieldPair>
        <TextField form={fields} name="first_name" label="First name" maxLength={100} />
        <TextField form={fields} name="last_name" label="Last name" maxLength={100} />
      </FieldPair>
      <FieldPair>
        <TextField form={fields} name="email" label="Email" maxLength={254} />
        <TextField form={fields} name="phone" label="Phone" maxLength={100} />
      </FieldPair>
      <FieldPair>
        <ChoiceField
          form={fields}
          name="stage"
          label="First onboarding stage"
          options={[
            ...preview.stages.map(({ id, name }) => ({ value: String(id), label: name })),
            { value: '', label: 'No onboarding' },
          ]}
        />
        <PersonField
          form={fields}
          name="assign_to"
          label="Onboarding assignee"
          staff={staff}
          none="Unassigned"
        />
      </FieldPair>
    </>
  )
}
