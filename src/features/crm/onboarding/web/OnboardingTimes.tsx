import type { UseFormReturnType } from '@mantine/form'
import { dayText } from '#shared/dates.ts'
import { wallTime } from '#shared/zones.ts'
import { DayField } from '#web/form/inputs.tsx'
import { browserTimeZone } from '#web/time.ts'
import { skippedTimeMessage } from '#web/typedMoment.ts'

/** A time in the viewer's time zone and, if different, in the organization's. */
export function DualTime({ at, zone, timeOnly = false }: { at: string; zone: string; timeOnly?: boolean }) {
  const [here, there] = [wallTime(at, browserTimeZone()), wallTime(at, zone)]
  return (
    <time dateTime={at}>
      {timeOnly ? here.time : `${dayText(here.day)}, ${here.time}`}
      {here.offset !== there.offset &&
        ` (${here.day === there.day ? '' : `${dayText(there.day)}, `}${there.time} ${there.abbreviation})`}
    </time>
  )
}

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
