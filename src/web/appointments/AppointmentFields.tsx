import { Checkbox } from '@mantine/core'
import { minutesText, mostGuests, type appointmentFields } from '#shared/appointments.contract.ts'
import classes from '#web/appointments/appointments.module.css'
import { Conflicts } from '#web/appointments/Conflicts.tsx'
import { FreeTimes } from '#web/appointments/FreeTimes.tsx'
import { HostDays, type WorkingHours } from '#web/appointments/HostDays.tsx'
import { useHostDays, type AppointmentOf, type Planned } from '#web/appointments/useHostDays.ts'
import { asChoices, useStaff } from '#web/filter/useOptions.ts'
import { Field } from '#web/form/Field.tsx'
import { FieldPair } from '#web/form/FieldPair.tsx'
import { LateField } from '#web/form/LateField.tsx'
import type { FieldsForm } from '#web/form/useFieldsForm.ts'
import { Loaded, LoadingState } from '#web/list/states.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'

const SeveralSelect = lazyPart(() => import('#web/form/SeveralSelect.tsx'))
const AddressesInput = lazyPart(() => import('#web/form/AddressesInput.tsx'))

type AppointmentForm = FieldsForm<typeof appointmentFields>

interface Props<F extends typeof appointmentFields> {
  form: FieldsForm<F>
  /** Without the fields of the form. */
  planned: Omit<Planned, 'minutes' | 'host_ids'>
  workingHours: WorkingHours | undefined
  /** Changes the scheduled time. */
  onMove: (at: string) => void
}

/**
 * Fields of a session beside its times: length, hosts with their other sessions of that day, place, and guests.
 */
export function AppointmentFields<F extends typeof appointmentFields>({
  form: whole,
  planned: { of, ...rest },
  workingHours,
  onMove,
}: Props<F>) {
  // A form with further fields has these as well.
  const form = whole as unknown as AppointmentForm
  const { minutes, host_ids } = form.fields.getValues()
  const staff = useStaff(of.lead_for)
  const planned = { of, ...rest, minutes: Number(minutes), host_ids }
  const { query, shown } = useHostDays(planned)
  return (
    <>
      <FieldPair>
        <Field form={form} name="minutes" options={lengthsWith(Number(minutes))} />
        <LateField label={form.at('host_ids').label}>
          <SeveralSelect
            {...form.control('host_ids')}
            data={asChoices(staff)}
            placeholder={host_ids.length === 0 ? (of.assigned_name ?? 'No one yet') : ''}
          />
        </LateField>
      </FieldPair>
      {shown && (
        <div className={classes.hosts}>
          <Loaded query={query} what="Busy times" skeleton={<LoadingState rows={1} />}>
            {({ data }) => <HostDays {...shown} planned={planned} hosts={data} workingHours={workingHours} />}
          </Loaded>
          <Conflicts
            {...shown}
            planned={planned}
            hosts={query.data?.data ?? []}
            workingHours={workingHours}
            onMove={onMove}
          />
        </div>
      )}
      <FreeTimes planned={planned} onMove={onMove} />
      <Field form={form} name="place" />
      <LateField label={form.at('guests').label}>
        <AddressesInput {...form.control('guests')} placeholder="Email addresses" maxTags={mostGuests} />
      </LateField>
    </>
  )
}

const lengths = [15, 30, 45, 60, 90, 120, 180, 240]

/** Returns the lengths to choose from, with the session's. */
const lengthsWith = (minutes: number) =>
  [...new Set([...lengths, minutes])]
    .toSorted((a, b) => a - b)
    .map((length) => ({ value: String(length), label: minutesText(length) }))

interface InvitationProps<F extends typeof appointmentFields> extends Pick<Props<F>, 'form'> {
  of: AppointmentOf
}

/** Asks whether the contact and the guests of a scheduled session are emailed. */
export function InvitationField<F extends typeof appointmentFields>({ form: whole, of }: InvitationProps<F>) {
  const { fields } = whole as unknown as AppointmentForm
  const { guests, invite } = fields.getValues()
  return (
    Boolean(of.email) && (
      <Checkbox
        label={`Email an invitation with a calendar file to ${[of.email, ...guests].join(', ')}`}
        description="If an invited session is changed or canceled, the people invited are always emailed."
        checked={invite === '1'}
        onChange={({ currentTarget }) => fields.setFieldValue('invite', currentTarget.checked ? '1' : '')}
      />
    )
  )
}
