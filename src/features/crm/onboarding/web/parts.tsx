import { TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { dayText } from '#shared/dates.ts'
import { wallTime } from '#shared/zones.ts'
import type { OnboardingRow } from '#features/crm/onboarding/contract.ts'
import classes from '#features/crm/onboarding/web/onboarding.module.css'
import { zoneHere } from '#web/time.ts'
import { whyNoMoment } from '#web/typedMoment.ts'
import { pageOf } from '#web/record/recordAddress.ts'

export const onboardingAddress = ({ id, company }: { id: number; company: string }) => pageOf('onboarding', id, company)

/** An instant in the viewer's zone and, if it differs, in the organization's. */
export function BothClocks({ at, zone, timeOnly = false }: { at: string; zone: string; timeOnly?: boolean }) {
  const [here, there] = [wallTime(at, zoneHere()), wallTime(at, zone)]
  return (
    <time dateTime={at}>
      {timeOnly ? here.time : `${dayText(here.day)}, ${here.time}`}
      {here.offset !== there.offset && ` (${here.day === there.day ? '' : `${dayText(there.day)}, `}${there.time} ${there.abbreviation} local time)`}
    </time>
  )
}

/** Progress in completed stages. */
export const Progress = ({ row: { done, stages, company } }: { row: Pick<OnboardingRow, 'done' | 'stages' | 'company'> }) => (
  <span className={classes.progress}>
    <progress value={done} max={stages || 1} aria-label={`Progress of ${company}`} />
    <span>
      {done} of {stages}
    </span>
  </span>
)

/** Field for a time in a zone; a time that the clock change skips is an error. */
export function MomentField<Values extends Record<string, any>>({
  form,
  name,
  label,
  zone,
}: {
  form: UseFormReturnType<Values>
  name: string
  label: string
  zone: string
}) {
  const { value, error, ...rest } = form.getInputProps(name) as { value: string; error?: string; onChange: (value: unknown) => void }
  return (
    <TextInput
      type="datetime-local"
      label={label}
      description={`Time zone: ${zone}`}
      value={value ?? ''}
      error={whyNoMoment({ typed: value ?? '', zone }) ?? error}
      {...rest}
    />
  )
}
