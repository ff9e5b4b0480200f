import { Suspense, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import IconPhone from '@tabler/icons-react/dist/esm/icons/IconPhone.mjs'
import type { Lead } from '#features/crm/leads/contract.ts'
import { leadCalls, type LeadCallInTimeline } from '#features/crm/leads/calls/contract.ts'
import { leadKeys } from '#features/crm/leads/record/web/leadKeys.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'
import type { ComposerTab } from '#web/composer/Composer.tsx'
import { ErrorState } from '#web/list/states.tsx'
import type { TimelineEntry } from '#web/record/Timeline.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'

const CallForm = lazyPart(() => import('#features/crm/leads/calls/web/CallForm.tsx'), 'CallForm')
const CallContent = lazyPart(() => import('#features/crm/leads/calls/web/CallEntry.tsx'), 'CallContent')
const CallActions = lazyPart(() => import('#features/crm/leads/calls/web/CallEntry.tsx'), 'CallActions')

const icon = <IconPhone size={14} stroke={1.5} aria-hidden />

/** Returns the calls with a lead, for its timeline, and the tab in which a call is logged. */
export function useLeadCalls(lead: Lead) {
  const { lead_id } = lead
  const query = useQuery(queryOptionsFor(leadCalls.ofLead, { query: { lead_id } }))
  const mayLog = useMay(leadCalls.log, { body: { lead_id, outcome: 1 } })
  const calls = query.data?.data ?? []
  const [started, setStarted] = useState<{ at: number }>()
  const tab: ComposerTab = {
    id: 'call',
    label: 'Call',
    letter: leadKeys.call,
    icon,
    draft: `lead-call-${lead_id}`,
    onStart: () => setStarted({ at: Date.now() }),
    content: <CallForm lead={lead} calls={calls} started={started} />,
  }
  return {
    entries: calls.map((call) => entryOfCall(call, lead_id)),
    tabs: mayLog ? [tab] : [],
    failure: query.error && <ErrorState error={query.error} onRetry={() => void query.refetch()} />,
  }
}

const entryOfCall = (call: LeadCallInTimeline, lead_id: number): TimelineEntry => ({
  id: `call-${call.id}`,
  kind: 'Calls',
  at: call.called_at,
  who: call.who,
  icon,
  state: (
    <Suspense>
      <CallActions call={call} lead_id={lead_id} />
    </Suspense>
  ),
  content: (
    <Suspense>
      <CallContent call={call} />
    </Suspense>
  ),
})
