import { useQuery } from '@tanstack/react-query'
import { plainDay } from '#shared/schemas.ts'
import { z } from 'zod'
import { organizationMessages, type OrganizationFilters } from '#features/crm/organizations/contract.ts'
import { statusChanges } from '#features/crm/organizations/status.contract.ts'
import { isPlainDate } from '#shared/dates.ts'
import { organizationFields, organizationStatuses } from '#features/crm/organizations/fields.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import { ChoiceField, DayField } from '#web/form/inputs.tsx'
import { FormModal } from '#web/form/FormModal.tsx'
import { useDraftForm } from '#web/form/useDraftForm.ts'
import { keepOverReload } from '#web/record/lastActStore.ts'
import { reloadPage } from '#web/reload.ts'
import { showMessage } from '#web/message/messages.ts'
import { countText, today } from '#web/time.ts'

interface Props {
  ids: readonly number[]
  /** Used instead of `ids`: all organizations that match these filters. */
  filters: Partial<OrganizationFilters>
  total: number
  onClose: () => void
}

const Sent = z.object({
  status: z.string(),
  trial_end_date: z.union([z.literal(''), plainDay]),
  of: z.string(),
})
const statuses = Object.entries(organizationStatuses).map(([value, label]) => ({ value, label }))

/**
 * Form for setting the status of many organizations. Shows how many will change, and reloads the page
 * afterward (A §4).
 */
export default function StatusForm({ ids, filters, total, onClose }: Props) {
  const { send: sendMany } = useSend(statusChanges.changeStatus, { failure: 'throw' })
  const { send: sendAll } = useSend(statusChanges.changeMatching, { failure: 'throw' })
  const form = useDraftForm({
    name: 'organization-status',
    initial: { status: '1', trial_end_date: '', of: ids.length ? 'chosen' : 'all' },
    schema: Sent,
    onSave: async ({ status, trial_end_date, of }) => {
      const sent = {
        status: Number(status) as 1,
        ...(status === '2' && trial_end_date ? { trial_end_date } : {}),
      }
      const reply =
        of === 'all'
          ? await sendAll({ body: { ...sent, filters, expected: total } })
          : await sendMany({ query: { ...sent, org_ids: [...ids] } })
      if (!reply) return
      keepOverReload(reply.operation)
      // The input is saved, so the reload must not warn about unsaved changes.
      form.discard()
      onClose()
      await showMessage(organizationMessages.statusChanged)
      reloadPage()
    },
  })
  const { status, trial_end_date, of } = form.fields.values
  const end = status === '2' && isPlainDate(trial_end_date) ? { trial_end_date } : {}
  const preview = useQuery(
    queryOptionsFor(statusChanges.previewStatus, {
      body: { status: Number(status), ...end, ...(of === 'all' ? { filters } : { org_ids: [...ids] }) },
    }),
  )
  const counted = preview.data
  const refused = counted?.refused
    ? `Choose a trial end date. Organizations without one in the future: ${countText(counted.refused)}.`
    : undefined
  return (
    <FormModal
      title="Change organization status"
      form={form}
      onClose={onClose}
      saveLabel="Change status"
      whyNotSave={refused}
    >
      <ChoiceField
        form={form.fields}
        name="of"
        label="Organizations"
        options={[
          ...(ids.length ? [{ value: 'chosen', label: `${countText(ids.length)} selected` }] : []),
          { value: 'all', label: `All ${countText(total)} that match the filters` },
        ]}
      />
      <ChoiceField
        form={form.fields}
        name="status"
        label={organizationFields.status.label}
        options={statuses}
      />
      {status === '2' && (
        <DayField
          form={form.fields}
          name="trial_end_date"
          label={organizationFields.trial_end_date.label}
          min={today()}
        />
      )}
      <p role="status">
        {counted
          ? `${countText(counted.changing)} will change, ${countText(counted.already)} already ${counted.already === 1 ? 'has' : 'have'} this status${counted.refused ? `, ${countText(counted.refused)} can’t be changed` : ''}.`
          : 'Counting…'}
      </p>
    </FormModal>
  )
}
