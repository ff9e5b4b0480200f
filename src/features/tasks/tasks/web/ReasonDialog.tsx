import { requiredText } from '#shared/schemas.ts'
import { z } from 'zod'
import { DayField, LongTextField } from '#web/form/inputs.tsx'
import { FormModal } from '#web/form/FormModal.tsx'
import { useDraftForm } from '#web/form/useDraftForm.ts'

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
  const form = useDraftForm({
    name: `reason-${title}`,
    initial: { comment: '', due_date: day ?? '' },
    schema: Reason,
    toSend: ({ comment }) => ({ comment }),
    onSave: ({ comment, due_date }) => onSave(comment, due_date),
    onSaved: onClose,
  })
  return (
    <FormModal title={title} form={form} onClose={onClose} saveLabel={saveLabel}>
      {day !== undefined && (
        <DayField form={form.fields} name="due_date" label={dayLabel ?? 'New date'} required />
      )}
      <LongTextField form={form.fields} name="comment" label={label} required autoFocus maxLength={2000} />
    </FormModal>
  )
}
