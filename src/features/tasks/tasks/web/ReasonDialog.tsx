import { requiredText } from '#shared/schemas.ts'
import { z } from 'zod'
import { Field } from '#web/form/Field.tsx'
import { DayField } from '#web/form/inputs.tsx'
import { FormModal } from '#web/form/FormModal.tsx'
import { useFieldsForm } from '#web/form/useFieldsForm.ts'

interface Props {
  title: string
  label: string
  saveLabel: string
  /** Initial value of a date to change; if omitted, the dialog requests only a reason. */
  day?: string
  dayLabel?: string
  onSave: (comment: string, day: string) => Promise<unknown>
  onClose: () => void
}

const Reason = z.object({ comment: requiredText(2000) })

/** Dialog that requests a reason before a due date is changed or a task is put on hold. */
export default function ReasonDialog({ title, label, saveLabel, day, dayLabel, onSave, onClose }: Props) {
  const form = useFieldsForm({
    name: `reason-${title}`,
    fields: { comment: { label, empty: '' }, due_date: { label: dayLabel ?? 'New date', empty: '' } },
    schema: Reason,
    initial: { due_date: day ?? '' },
    onSave: ({ comment, due_date }) => onSave(comment, due_date),
    onSaved: onClose,
  })
  return (
    <FormModal title={title} form={form} onClose={onClose} saveLabel={saveLabel}>
      {day !== undefined && <DayField {...form.at('due_date')} required />}
      <Field form={form} name="comment" autoFocus />
    </FormModal>
  )
}
