import { dayText, isPlainDate } from '#shared/dates.ts'
import type { OrganizationRow } from '#features/crm/organizations/contract.ts'
import { trials, TrialDate } from '#features/crm/organizations/trials.contract.ts'
import { statusChanges } from '#features/crm/organizations/status.contract.ts'
import { onTrial, trialEnd } from '#features/crm/organizations/rules.ts'
import { clockIn } from '#features/crm/organizations/web/organizationWords.ts'
import { useSend } from '#web/api/useSend.ts'
import { ChoiceField, DayField, TextField } from '#web/form/inputs.tsx'
import { FormModal } from '#web/form/FormModal.tsx'
import { useDraftForm } from '#web/form/useDraftForm.ts'
import { useWhyNotSave } from '#web/form/useWhyNotSave.ts'
import { useUndo } from '#web/record/useUndo.ts'

interface Props {
  organization: Pick<OrganizationRow, 'organization_id' | 'name' | 'status' | 'trial_end_date' | 'timezone'>
  /** Whether saving puts the organization on trial. */
  begins?: boolean
  onClose: () => void
}

const toSend = ({
  by,
  trial_date,
  trial_in_days,
}: {
  by: string
  trial_date: string
  trial_in_days: string
}) => (by === 'days' ? { trial_in_days: trial_in_days } : { trial_date })

/**
 * Form for setting when a trial ends, either as a date or as a number of days from today in the
 * organization's time zone. Shows the resulting date.
 */
export default function TrialForm({ organization, begins = false, onClose }: Props) {
  const id = organization.organization_id
  const { announceAct } = useUndo()
  const { send: sendDate } = useSend(trials.updateTrialDate, { failure: 'throw' })
  const { send: sendStatus } = useSend(statusChanges.changeStatus, { failure: 'throw' })
  const whyNotSave = useWhyNotSave(trials.updateTrialDate, { body: { id, trial_in_days: 1 } })
  const day = clockIn(organization.timezone).day
  const endOf = (values: { by: string; trial_date: string; trial_in_days: string }) =>
    values.by === 'days'
      ? /^\d{1,4}$/.test(values.trial_in_days)
        ? trialEnd(day, Number(values.trial_in_days))
        : undefined
      : isPlainDate(values.trial_date)
        ? values.trial_date
        : undefined
  const form = useDraftForm({
    name: `trial-${id}`,
    initial: { by: 'days', trial_date: organization.trial_end_date ?? '', trial_in_days: '14' },
    schema: TrialDate,
    toSend,
    onSave: async (values) => {
      const reply = begins
        ? await sendStatus({ query: { status: onTrial, org_id: id, trial_end_date: endOf(values)! } })
        : await sendDate({ body: { id, ...(toSend(values) as { trial_date: string }) } })
      if (reply) announceAct(reply.message, reply.operation)
    },
    onSaved: onClose,
  })
  const end = endOf(form.fields.values)
  const isEarlier =
    end !== undefined && organization.trial_end_date !== null && end < organization.trial_end_date
  return (
    <FormModal title={`Trial for ${organization.name}`} form={form} onClose={onClose} whyNotSave={whyNotSave}>
      <ChoiceField
        form={form.fields}
        name="by"
        label="Ends"
        options={[
          { value: 'days', label: 'Number of days from today' },
          { value: 'date', label: 'Specific date' },
        ]}
      />
      {form.fields.values.by === 'days' ? (
        <TextField form={form.fields} name="trial_in_days" label="Days" maxLength={4} />
      ) : (
        <DayField form={form.fields} name="trial_date" label="Date" />
      )}
      <p role="status">
        {end ? `The trial ends on ${dayText(end)} (${organization.timezone}).` : 'Choose an end date.'}
        {isEarlier && ` That’s earlier than the current end date, ${dayText(organization.trial_end_date!)}.`}
        {end !== undefined && end < day && ' This date is in the past.'}
      </p>
    </FormModal>
  )
}
