import { useSyncExternalStore } from 'react'
import IconPhone from '@tabler/icons-react/dist/esm/icons/IconPhone.mjs'
import { callDraft } from '#features/crm/leads/calls/draft.ts'
import { isRunning, timerText } from '#features/crm/leads/calls/rules.ts'
import classes from '#features/crm/leads/calls/web/calls.module.css'
import { draftNames, readDraft, watchDrafts } from '#web/form/draft.ts'
import { PageLink } from '#web/parts/PageLink.tsx'
import { recordAddress } from '#web/record/recordAddress.ts'
import { useViewer } from '#web/session.ts'
import { useSecond } from '#web/useSecond.ts'

/** The call with a lead that is running, on every page, with a link to the lead. */
export default function RunningCall() {
  const viewer = useViewer()
  // As a text, because a store's value has to stay the same between changes.
  const running = useSyncExternalStore(watchDrafts, () => JSON.stringify(startedLast() ?? null))
  const call = JSON.parse(running) as StartedCall | null
  const to = call && recordAddress('lead', call.lead_id, viewer)
  return call && to && <Chip to={to} call={call} />
}

function Chip({ to, call: { lead_id, started_at } }: { to: string; call: StartedCall }) {
  const now = useSecond()
  if (!isRunning(started_at, now)) return null
  return (
    <PageLink to={to} className={classes.running} title={`Call with lead #${lead_id}`}>
      <IconPhone size={14} stroke={1.5} aria-hidden />
      <span role="timer" aria-label={`Call with lead #${lead_id}`}>
        {timerText(started_at, now)}
      </span>
    </PageLink>
  )
}

interface StartedCall {
  lead_id: number
  started_at: string
}

/** Returns the viewer's last call that started and wasn't ended or logged; the forms' drafts keep it. */
function startedLast(): StartedCall | undefined {
  const calls = draftNames(callDraft('')).map((name) => ({
    lead_id: Number(name.slice(callDraft('').length)),
    started_at: (readDraft(name)?.values['started_at'] ?? '') as string,
  }))
  return calls
    .filter(({ lead_id, started_at }) => Number.isInteger(lead_id) && started_at !== '')
    .toSorted((one, other) => (one.started_at < other.started_at ? 1 : -1))[0]
}
