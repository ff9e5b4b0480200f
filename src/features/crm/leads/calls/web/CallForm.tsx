import { use, useEffect, useEffectEvent, useRef, type KeyboardEvent } from 'react'
import { Button, TextInput } from '@mantine/core'
import type { Lead } from '#features/crm/leads/contract.ts'
import { callDraft } from '#features/crm/leads/calls/draft.ts'
import { leadCalls, NewCall, type LeadCall } from '#features/crm/leads/calls/contract.ts'
import {
  attemptsWithoutAnswer,
  callDirections,
  callOutcomes,
  isRunning,
  minutesSince,
  type CallDirection,
} from '#features/crm/leads/calls/rules.ts'
import classes from '#features/crm/leads/calls/web/calls.module.css'
import { reachedOutcome } from '#features/crm/leads/rules.ts'
import { CallTimer } from '#features/crm/leads/calls/web/CallTimer.tsx'
import { FollowupChoice } from '#features/crm/leads/record/web/FollowupChoice.tsx'
import { OpensLater } from '#features/crm/leads/record/web/LeadTime.tsx'
import { NextLeadContext } from '#features/crm/leads/record/web/nextLead.ts'
import { useSend } from '#web/api/useSend.ts'
import { ComposerForm } from '#web/composer/ComposerForm.tsx'
import { MentionText } from '#web/composer/MentionText.tsx'
import { useDraftForm, type DraftForm } from '#web/form/useDraftForm.ts'
import { LocalTime } from '#web/LocalTime.tsx'
import { PhoneLink } from '#web/parts/PhoneLink.tsx'
import { useUndo } from '#web/record/useUndo.ts'

type CalledLead = Pick<Lead, 'lead_id' | 'contactName' | 'phone' | 'timezone' | 'followup_date' | 'version'>

interface Props {
  lead: CalledLead
  /** The calls so far, newest first. */
  calls: readonly LeadCall[]
  /** When the user last started a call, in milliseconds; undefined if the tab was opened to log one. */
  started: { at: number } | undefined
}

interface Values {
  direction: CallDirection
  outcome: string
  minutes: string
  note: string
  followup_date: string
  /** When the call started, as ISO 8601 text; empty if it didn't, or has ended. The draft keeps it. */
  started_at: string
}

const newCall: Values = {
  direction: 'out',
  outcome: '',
  minutes: '',
  note: '',
  followup_date: '',
  started_at: '',
}

/** Form of the composer's tab for calls: what happened, and when the next follow-up is. */
export function CallForm({ lead, calls, started }: Props) {
  const { form, isNext } = useCall(lead, started)
  const text = useRef<HTMLDivElement>(null)
  const { fields } = form
  const { outcome, followup_date } = fields.getValues()
  const attempts = attemptsWithoutAnswer(calls)
  const toText = () => text.current?.querySelector('textarea')?.focus()
  return (
    <ComposerForm
      label="New call"
      form={form}
      head={
        <>
          <Dial lead={lead} form={form} />
          <Outcomes form={form} toText={toText} />
        </>
      }
      options={
        <FollowupChoice
          day={followup_date}
          current={lead.followup_date}
          hasToday={outcome !== '' && Number(outcome) !== reachedOutcome}
          error={fields.errors['followup_date'] as string | undefined}
          onChoose={(day) => fields.setFieldValue('followup_date', day)}
        />
      }
      tools={
        <TextInput
          className={classes.minutes}
          size="xs"
          label="Minutes"
          inputMode="numeric"
          maxLength={3}
          {...fields.getInputProps('minutes')}
        />
      }
      acts={
        <>
          {attempts > 0 && (
            <span className={classes.attempts}>
              {`${attempts} ${attempts === 1 ? 'attempt' : 'attempts'} without an answer`}
            </span>
          )}
          <Button type="submit" size="xs" loading={form.saving} title="Ctrl+Enter">
            {isNext ? 'Log call and next' : 'Log call'}
          </Button>
        </>
      }
    >
      <div ref={text} className={classes.text}>
        <MentionText
          label="Call note"
          placeholder={
            outcome === '' || Number(outcome) === reachedOutcome
              ? 'Write what was said and what the next step is.'
              : 'Add a note (optional).'
          }
          maxLength={10_000}
          people={[]}
          {...fields.getInputProps('note')}
        />
      </div>
    </ComposerForm>
  )
}

function useCall({ lead_id, version, followup_date }: CalledLead, started: Props['started']) {
  const { announceAct } = useUndo()
  const next = use(NextLeadContext)
  const { send } = useSend(leadCalls.log, { failure: 'throw' })
  const form: DraftForm<Values> = useDraftForm<Values>({
    name: callDraft(lead_id),
    initial: newCall,
    schema: NewCall,
    onSave: async (values) => {
      const seen = { version, base: { followup_date } }
      const reply = await send({ body: { lead_id, ...NewCall.parse(ended(values)), ...seen } })
      if (reply) announceAct(reply.message, reply.operation)
      form.discardSent(values)
      if (reply && values.followup_date !== '') next?.()
    },
  })
  const start = useEffectEvent((at: number) =>
    form.change(({ started_at, minutes }) =>
      minutes !== '' || isRunning(started_at, at) ? {} : { started_at: new Date(at).toISOString() },
    ),
  )
  useEffect(() => {
    if (started) start(started.at)
  }, [started])
  return { form, isNext: next !== undefined && form.fields.getValues().followup_date !== '' }
}

/** Returns the call as it is logged: one that was answered ends then, if it hasn't before. */
function ended(values: Values): Values {
  const { started_at, minutes, outcome } = values
  const endsNow = minutes === '' && Number(outcome) === reachedOutcome && isRunning(started_at, Date.now())
  return endsNow ? { ...values, minutes: String(minutesSince(started_at, Date.now())) } : values
}

interface PartProps {
  form: DraftForm<Values>
}

/** The number to call, the time there, how long the call takes, and who calls whom. */
function Dial({ lead, form: { fields, change } }: PartProps & { lead: CalledLead }) {
  const { direction, started_at } = fields.getValues()
  return (
    <div className={classes.dial}>
      <span className={classes.number}>
        {lead.phone === '' ? 'No phone number' : <PhoneLink number={lead.phone} />}
        <span className={classes.soft}>
          {lead.contactName !== '' && `${lead.contactName} · `}
          <LocalTime zone={lead.timezone} />
          <OpensLater zone={lead.timezone} />
        </span>
      </span>
      <CallTimer
        started_at={started_at}
        onStart={() => change(() => ({ started_at: new Date().toISOString(), minutes: '' }))}
        onEnd={() =>
          change((now) => ({ started_at: '', minutes: String(minutesSince(now.started_at, Date.now())) }))
        }
      />
      <span className={classes.choices} role="group" aria-label="Direction">
        {(['out', 'in'] as const).map((one) => (
          <Button
            key={one}
            size="compact-xs"
            variant={direction === one ? 'light' : 'default'}
            aria-pressed={direction === one}
            onClick={() => fields.setFieldValue('direction', one)}
          >
            {callDirections[one]}
          </Button>
        ))}
      </span>
    </div>
  )
}

interface OutcomesProps extends PartProps {
  toText: () => void
}

/** How the call ended, chosen by click or number; then, or when something else is typed, the text has the focus. */
function Outcomes({ form: { fields }, toText }: OutcomesProps) {
  const { outcome } = fields.getValues()
  const error = fields.errors['outcome']
  const choose = (chosen: string) => {
    fields.setFieldValue('outcome', chosen)
    toText()
  }
  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.key.length !== 1 || event.key === ' ') return
    // The keys of the page would take what is typed.
    event.stopPropagation()
    if (!(event.key in callOutcomes)) return toText()
    event.preventDefault()
    choose(event.key)
  }
  return (
    <div className={classes.choices} role="group" aria-label="Outcome" data-path="outcome" onKeyDown={press}>
      <span className={classes.label} aria-hidden>
        Outcome
      </span>
      {Object.entries(callOutcomes).map(([value, label], at) => (
        <Button
          key={value}
          size="compact-xs"
          variant={outcome === value ? 'light' : 'default'}
          aria-pressed={outcome === value}
          title={`${label} (${value})`}
          rightSection={<kbd className={classes.key}>{value}</kbd>}
          onClick={() => choose(value)}
          {...(at === 0 && { 'data-start': '' })}
        >
          {label}
        </Button>
      ))}
      {error && (
        <span role="alert" className={classes.error}>
          {error}
        </span>
      )}
    </div>
  )
}
