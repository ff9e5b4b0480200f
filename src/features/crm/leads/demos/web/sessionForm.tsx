import { z } from 'zod'
import { useQuery } from '@tanstack/react-query'
import { appointmentFields, sessionMinutes } from '#shared/appointments.contract.ts'
import type { Fields } from '#shared/field.ts'
import { offeredZones, wallTime } from '#shared/zones.ts'
import { panelSettings } from '#features/admin/settings/contract.ts'
import type { Lead } from '#features/crm/leads/contract.ts'
import { demos, SessionInput, type Demo } from '#features/crm/leads/demos/contract.ts'
import { sessionFields } from '#features/crm/leads/demos/fields.ts'
import { scheduledStatus } from '#features/crm/leads/demos.rules.ts'
import { DualTime } from '#web/DualTime.tsx'
import classes from '#features/crm/leads/demos/web/Demos.module.css'
import {
  instantMeant,
  instantsMeant,
  typedOf,
  skippedTimeMessage,
  whyPast,
  type TypedMoment,
} from '#web/dates/typedMoment.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import { AppointmentFields, InvitationField } from '#web/appointments/AppointmentFields.tsx'
import { changedOf } from '#web/form/changedOf.ts'
import { Field } from '#web/form/Field.tsx'
import type { FieldValues } from '#web/form/fieldValues.ts'
import { ChoiceField, DayField } from '#web/form/inputs.tsx'
import { useFieldsForm, type FieldsForm } from '#web/form/useFieldsForm.ts'
import { browserTimeZone } from '#web/time.ts'
import { useUndo } from '#web/record/useUndo.ts'
import { FieldPair } from '#web/form/FieldPair.tsx'

const formFields = {
  ...sessionFields,
  ...appointmentFields,
  /** Time zone in which both times are entered. */
  zone: { label: 'Time zone', empty: '' },
  requested_date_turn: { label: 'Requested time', empty: 'first' },
  final_date_turn: { label: 'Scheduled time', empty: 'first' },
} as const satisfies Fields
type Values = FieldValues<typeof formFields>

export type SessionLead = Pick<
  Lead,
  'lead_id' | 'lead_for' | 'timezone' | 'email' | 'assigned_name' | 'status'
>

interface Session {
  lead: SessionLead
  /** The session to edit; undefined for a new one. */
  demo: Demo | undefined
  types: readonly string[]
}

interface Options extends Session {
  /** Name of the draft. */
  name: string
  /** Called with the values that were saved. */
  onSent?: (values: Values) => void
  onSaved?: () => void
}

/** Form state for creating or editing a lead's session. */
export function useSession({
  lead,
  demo,
  types,
  name,
  onSent,
  onSaved,
}: Options): FieldsForm<typeof formFields> {
  const { announceAct } = useUndo()
  const { send } = useSend(demos.save, { failure: 'throw' })
  const initial = valuesOf(demo, lead, types[0] ?? '')
  const form = useFieldsForm({
    name,
    fields: formFields,
    schema: SessionValues,
    initial,
    adapt: (_, values) => values,
    onSave: async (_, values) => {
      // For an existing session, send only the changes, so that concurrent changes by others are preserved.
      const session = demo ? { ...changedOf(toSend(values), toSend(initial)), id: demo.id } : toSend(values)
      const invite = values.invite === '1' && values.final_date !== ''
      const reply = await send({
        body: { lead_id: lead.lead_id, sessions: [{ ...session, ...(invite && { invite }) }] },
      })
      if (reply) announceAct(reply.message, reply.operation)
      onSent?.(values)
    },
    onSaved,
  })
  const { fields } = form
  // A time that is invalid in one time zone may be valid in another.
  fields.watch('zone', () => {
    fields.clearFieldError('requested_date')
    fields.clearFieldError('final_date')
  })
  return form
}

/** Fields of a session; times are entered in the lead's time zone or another one. */
export function SessionFields({
  form,
  lead,
  demo,
  types,
}: Session & { form: FieldsForm<typeof formFields> }) {
  const { fields } = form
  const values = fields.getValues()
  const scheduled = instantMeant(momentOf(values, 'final_date'))
  const of = { ...lead, type: 'lead', id: lead.lead_id } as const
  const settings = useQuery(queryOptionsFor(panelSettings.offered))
  const zones = [...new Set([lead.timezone, browserTimeZone(), ...offeredZones])]
  const kinds = [...new Set([...types, ...(demo ? [demo.type] : [])])]
  return (
    <>
      <FieldPair>
        <ChoiceField
          {...form.at('type')}
          options={kinds.map((name) => ({ value: name, label: name }))}
          data-start=""
        />
        <Field
          form={form}
          name="zone"
          options={zones.map((name) => ({ value: name, label: labelOf(name, lead.timezone) }))}
        />
      </FieldPair>
      <FieldPair>
        <MomentField form={form} name="requested_date" lead={lead} />
        <MomentField form={form} name="final_date" lead={lead} />
      </FieldPair>
      <AppointmentFields
        form={form}
        planned={{
          of,
          saved: demo?.id,
          at: scheduled ?? instantMeant(momentOf(values, 'requested_date')),
          isScheduled: scheduled !== undefined,
          isDone: demo !== undefined && demo.status !== 1 && demo.status !== scheduledStatus,
        }}
        workingHours={settings.data?.data.working_hours}
        onMove={(at) => {
          const { typed, occurrence } = typedOf(at, values.zone)
          fields.setValues({ final_date: typed, final_date_turn: occurrence })
        }}
      />
      <Field form={form} name="received_date" />
      <Field form={form} name="schedule_comment" rows={2} />
      <Field form={form} name="final_comment" rows={2} />
      {values.final_date !== '' && <InvitationField form={form} of={of} />}
    </>
  )
}

const labelOf = (zone: string, ofLead: string) =>
  [zone, zone === ofLead && 'lead’s time zone', zone === browserTimeZone() && 'your time zone']
    .filter(Boolean)
    .join(' · ')

/**
 * Date and time fields in the chosen time zone. Below them is the same time in the viewer's and the lead's
 * time zones and, if the time is ambiguous, a choice of which one is meant.
 */
function MomentField({
  form,
  name,
  lead,
}: {
  form: FieldsForm<typeof formFields>
  name: MomentName
  lead: Session['lead']
}) {
  const moment = momentOf(form.fields.values, name)
  const instant = instantMeant(moment)
  const both = instantsMeant(moment)
  // A demo in the past can be entered, but the form shows a hint.
  const past = name === 'final_date' ? whyPast(instant) : undefined
  return (
    <div className={classes.moment}>
      <DayField
        {...form.at(name)}
        time
        descriptionBelow
        description={
          <span className={classes.typed} aria-live="polite">
            {instant ? <DualTime at={instant} zone={lead.timezone} /> : '\u00a0'}
            {past && <span className={classes.past}> {past}</span>}
          </span>
        }
      />
      {both.length > 1 && (
        <ChoiceField
          {...form.at(turnOf(name))}
          label={`Which ${moment.typed.slice(-5)} do you mean?`}
          description="Clocks go back on this day, so this time occurs twice."
          options={both.map((one, index) => ({
            value: index ? 'second' : 'first',
            label: `The ${index ? 'second' : 'first'} one (${wallTime(one, moment.zone).abbreviation})`,
          }))}
        />
      )}
    </div>
  )
}

type MomentName = 'requested_date' | 'final_date'
const turnOf = (name: MomentName) => `${name}_turn` as const
const momentOf = (values: Values, name: MomentName): TypedMoment => ({
  typed: values[name],
  zone: values.zone,
  occurrence: values[turnOf(name)],
})

function valuesOf(demo: Demo | undefined, { timezone: zone, email }: Session['lead'], type: string): Values {
  const [requested, final] = [typedOf(demo?.requested_date, zone), typedOf(demo?.final_date, zone)]
  return {
    type: demo?.type ?? type,
    zone,
    requested_date: requested.typed,
    requested_date_turn: requested.occurrence,
    schedule_comment: demo?.schedule_comment ?? '',
    final_date: final.typed,
    final_date_turn: final.occurrence,
    final_comment: demo?.final_comment ?? '',
    received_date: demo?.received_date ?? '',
    minutes: String(demo?.minutes ?? sessionMinutes),
    place: demo?.place ?? '',
    guests: demo?.guests ?? [],
    host_ids: demo?.host_ids.map(String) ?? [],
    invite: !demo && email ? '1' : '',
  }
}

const toSend = (values: Values) => ({
  type: values.type,
  schedule_comment: values.schedule_comment,
  final_comment: values.final_comment,
  received_date: values.received_date || null,
  minutes: Number(values.minutes),
  place: values.place,
  guests: [...values.guests],
  host_ids: values.host_ids.map(Number),
  requested_date: instantMeant(momentOf(values, 'requested_date')) ?? null,
  final_date: instantMeant(momentOf(values, 'final_date')) ?? null,
})

/** Form schema: times must exist in their time zone, and the request must be a valid session. */
const SessionValues = z
  .custom<Values>()
  .superRefine((values, context) => {
    for (const name of ['requested_date', 'final_date'] as const) {
      const message = skippedTimeMessage(momentOf(values, name))
      if (message) context.addIssue({ code: 'custom', path: [name], message })
    }
  })
  .transform((values): z.input<typeof SessionInput> => toSend(values))
  .pipe(SessionInput)
