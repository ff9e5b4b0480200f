import { useState } from 'react'
import { dayText } from '#shared/dates.ts'
import { leadCalls, type LeadCallInTimeline } from '#features/crm/leads/calls/contract.ts'
import { callOutcomes, whyNotChangeCall, type CallOutcome } from '#features/crm/leads/calls/rules.ts'
import classes from '#features/crm/leads/calls/web/calls.module.css'
import { EditCall } from '#features/crm/leads/calls/web/EditCall.tsx'
import { useMay, useSend } from '#web/api/useSend.ts'
import { LinkButton } from '#web/parts/LinkButton.tsx'
import { UndoEntry } from '#web/record/EventWords.tsx'
import { recordAddress } from '#web/record/recordAddress.ts'
import { useUndo } from '#web/record/useUndo.ts'
import { useViewer } from '#web/session.ts'
import { Folded } from '#web/stream/Folded.tsx'
import { LinkedText } from '#web/stream/LinkedText.tsx'

/** A call in the timeline, after the name of the person who logged it. */
export function CallContent({ call }: { call: LeadCallInTimeline }) {
  const viewer = useViewer()
  const { direction, minutes, outcome, note, followup_date } = call
  return (
    <>
      {direction === 'in' ? 'received a call' : 'called'}
      {minutes !== null && ` · ${minutes} min`} · <em>{callOutcomes[outcome as CallOutcome]}</em>
      {followup_date !== null && ` · Follow-up ${dayText(followup_date)}`}
      {note !== '' && (
        <div className={classes.note}>
          <Folded>
            <LinkedText text={note} addressOf={(number) => recordAddress('ticket', number, viewer)} />
          </Folded>
        </div>
      )}
    </>
  )
}

/** Buttons with which its author edits or deletes a call. Calls of a merged lead stay as they are. */
export function CallActions({ call, lead_id }: { call: LeadCallInTimeline; lead_id: number }) {
  const viewer = useViewer()
  const [isEditing, setEditing] = useState(false)
  const mayChange = useMay(leadCalls.remove, { params: { id: call.id } })
  const { announceAct } = useUndo()
  const { send, sending } = useSend(leadCalls.remove, {
    onDone: ({ message, operation }) => announceAct(message, operation),
  })
  const isOwn = viewer !== undefined && whyNotChangeCall(call, viewer) === undefined
  return (
    <>
      {mayChange && isOwn && call.lead_id === lead_id && (
        <>
          <LinkButton onClick={() => setEditing(true)}>Edit</LinkButton>
          <LinkButton disabled={sending} onClick={() => void send({ params: { id: call.id } })}>
            Delete
          </LinkButton>
        </>
      )}
      {call.operation && <UndoEntry operation={call.operation} />}
      {isEditing && <EditCall call={call} onClose={() => setEditing(false)} />}
    </>
  )
}
