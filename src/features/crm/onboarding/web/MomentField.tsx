import type { UseFormReturnType } from '@mantine/form'
import { DayField } from '#web/form/inputs.tsx'
import { skippedTimeMessage } from '#web/dates/typedMoment.ts'

/** Field for a time in a given time zone; a time that is skipped by a clock change is an error. */
export function MomentField<Values extends Record<string, any>>({
  form,
  name,
  label,
  zone,
}: {
  form: UseFormReturnType<Values>
  name: keyof Values & string
  label: string
  zone: string
}) {
  return (
    <DayField
      form={form}
      name={name}
      label={label}
      time
      description={`Time zone: ${zone}`}
      error={skippedTimeMessage({ typed: form.values[name] ?? '', zone })}
    />
  )
}
