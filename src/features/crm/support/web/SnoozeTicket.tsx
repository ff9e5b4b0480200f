import { addDays } from '#shared/dates.ts'
import type { Ticket } from '#features/crm/support/contract.ts'
import { SnoozeUntil } from '#features/crm/support/desk.contract.ts'
import { useSnooze } from '#features/crm/support/web/useSnooze.ts'
import { instantMeant, skippedTimeMessage } from '#web/dates/typedMoment.ts'
import { FormModal } from '#web/form/FormModal.tsx'
import { DayField } from '#web/form/inputs.tsx'
import { useDraftForm } from '#web/form/useDraftForm.ts'
import { browserTimeZone, today } from '#web/time.ts'

interface Props {
  ticket: Ticket
  onClose: () => void
}

/** Dialog that asks until when a ticket is left out of the viewer's queues. */
export default function SnoozeTicket({ ticket: { id, title }, onClose }: Props) {
  const { snooze } = useSnooze(id, 'throw')
  return (
    <SnoozeUntilForm
      draft={`ticket-snooze-${id}`}
      title={`Snooze #${id} ${title}`}
      snooze={snooze}
      onClose={onClose}
    />
  )
}

interface FormProps {
  /** Name of the draft. */
  draft: string
  title: string
  /** Throws what the server refuses. */
  snooze: (until: string) => Promise<unknown>
  onClose: () => void
}

export function SnoozeUntilForm({ draft, title, snooze, onClose }: FormProps) {
  const zone = browserTimeZone()
  const toSend = ({ until }: { until: string }) => ({
    until: instantMeant({ typed: until, zone, occurrence: 'first' }) ?? until,
  })
  const form = useDraftForm({
    name: draft,
    initial: { until: `${addDays(today(), 1)}T09:00` },
    schema: SnoozeUntil,
    toSend,
    onSave: (values) => snooze(toSend(values).until),
    onSaved: onClose,
  })
  return (
    <FormModal title={title} form={form} onClose={onClose} saveLabel="Snooze">
      <DayField
        form={form.fields}
        name="until"
        label="Until"
        required
        time
        ahead
        description={`Time zone: ${zone}`}
        error={skippedTimeMessage({ typed: form.fields.getValues().until, zone })}
      />
    </FormModal>
  )
}
