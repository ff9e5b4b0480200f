import { TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { instantAt, offeredZones, wallTime } from '#shared/zones.ts'
import type { Lead } from '#features/leads/contract.ts'
import { demos, SessionInput, type Demo } from '#features/leads/demos.contract.ts'
import { refreshedByDemo } from '#features/leads/web/DemosPanel.tsx'
import { DemoTime, zoneHere } from '#features/leads/web/DemoTimes.tsx'
import classes from '#features/leads/web/Demos.module.css'
import leadClasses from '#features/leads/web/leads.module.css'
import { useSend } from '#web/api/useSend.ts'
import { ChoiceField, DayField, LongTextField } from '#web/form/fields.tsx'
import { FormModal } from '#web/form/FormModal.tsx'
import { useDraftForm } from '#web/form/useDraftForm.ts'
import { toast } from '#web/shell/toast.ts'

interface Values {
  [field: string]: string
  type: string
  /** The zone whose clock the two times are typed by. */
  zone: string
  requested_date: string
  schedule_comment: string
  final_date: string
  final_comment: string
  received_date: string
}

interface Props {
  lead: Pick<Lead, 'lead_id' | 'timezone'>
  demo: Demo | undefined
  types: readonly string[]
  onClose: () => void
}

/** Enters a session of a lead or changes one; times are typed by the lead's clock, or by another. */
export default function DemoForm({ lead, demo, types, onClose }: Props) {
  const { send } = useSend(demos.save, { refresh: refreshedByDemo, failure: 'throw' })
  const initial = valuesOf(demo, lead.timezone, types[0] ?? '')
  const form = useDraftForm<Values>({
    name: demo ? `demo-${demo.id}` : `demo-new-${lead.lead_id}`,
    initial,
    schema: SessionInput,
    toSend,
    onSave: async (values) => {
      await send({ body: { lead_id: lead.lead_id, sessions: [{ ...toSend(values), ...(demo ? { id: demo.id } : {}) }] } })
      toast.success('The session is saved.')
      onClose()
    },
  })
  const { fields } = form
  const zones = [...new Set([lead.timezone, zoneHere(), ...offeredZones])]
  const kinds = [...new Set([...types, ...(demo ? [demo.type] : [])])]
  return (
    <FormModal title={demo ? `Edit ${demo.type}` : 'New session'} form={form} onClose={onClose} size="lg">
      <div className={leadClasses.pair}>
        <ChoiceField form={fields} name="type" label="Type" required options={kinds.map((name) => ({ value: name, label: name }))} />
        <ChoiceField form={fields} name="zone" label="Times are of" options={zones.map((name) => ({ value: name, label: labelOf(name, lead.timezone) }))} />
      </div>
      <div className={leadClasses.pair}>
        <MomentField form={fields} name="requested_date" label="Asked for" lead={lead} />
        <MomentField form={fields} name="final_date" label="Final date" lead={lead} />
      </div>
      <DayField form={fields} name="received_date" label="Request received" />
      <LongTextField form={fields} name="schedule_comment" label="Comment on the request" rows={2} maxLength={2000} />
      <LongTextField form={fields} name="final_comment" label="Comment on the date" rows={2} maxLength={2000} />
    </FormModal>
  )
}

const labelOf = (zone: string, ofLead: string) => [zone, zone === ofLead && "the lead's", zone === zoneHere() && 'mine'].filter(Boolean).join(' · ')

/** A day and a time by the chosen clock; below it, what that is on the reader's and the lead's. */
function MomentField({ form, name, label, lead }: { form: UseFormReturnType<Values>; name: string; label: string; lead: Props['lead'] }) {
  const typed = form.values[name] ?? ''
  const instant = momentOf(typed, form.values.zone)
  return (
    <TextInput
      type="datetime-local"
      label={label}
      description={
        <span className={classes.typed} aria-live="polite">
          {instant ? <DemoTime at={instant} zone={lead.timezone} /> : '\u00a0'}
        </span>
      }
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      {...form.getInputProps(name)}
      data-path={name}
      name={name}
    />
  )
}

function momentOf(typed: string, zone: string): string {
  const [day, time] = typed.split('T')
  return day && time && /^\d{4}-/.test(day) ? instantAt(day, time.slice(0, 5), zone) : ''
}

function valuesOf(demo: Demo | undefined, zone: string, type: string): Values {
  const typed = (instant: string | null | undefined) => {
    if (!instant) return ''
    const { day, time } = wallTime(instant, zone)
    return `${day}T${time}`
  }
  return {
    type: demo?.type ?? type,
    zone,
    requested_date: typed(demo?.requested_date),
    schedule_comment: demo?.schedule_comment ?? '',
    final_date: typed(demo?.final_date),
    final_comment: demo?.final_comment ?? '',
    received_date: demo?.received_date ?? '',
  }
}

const toSend = ({ zone, requested_date, final_date, received_date, type, schedule_comment, final_comment }: Values) => ({
  type,
  schedule_comment,
  final_comment,
  received_date: received_date || null,
  requested_date: momentOf(requested_date, zone) || null,
  final_date: momentOf(final_date, zone) || null,
})
