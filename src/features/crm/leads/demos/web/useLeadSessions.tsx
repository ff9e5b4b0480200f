import { useQuery } from '@tanstack/react-query'
import IconCalendarEvent from '@tabler/icons-react/dist/esm/icons/IconCalendarEvent.mjs'
import IconCalendarPlus from '@tabler/icons-react/dist/esm/icons/IconCalendarPlus.mjs'
import { type DemoStatus, demoStatuses, demoTones } from '#shared/appointments.contract.ts'
import type { Lead } from '#features/crm/leads/contract.ts'
import { demos, type Demo } from '#features/crm/leads/demos/contract.ts'
import { DualTime } from '#web/DualTime.tsx'
import { NextSession } from '#features/crm/leads/demos/web/NextSession.tsx'
import { leadKeys } from '#features/crm/leads/record/web/leadKeys.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'
import type { ComposerTab } from '#web/composer/Composer.tsx'
import { Loaded } from '#web/list/states.tsx'
import { Tone } from '#web/parts/Tone.tsx'
import type { TimelineEntry } from '#web/record/Timeline.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'

const SessionTab = lazyPart(() => import('#features/crm/leads/demos/web/SessionTab.tsx'))

/** Returns the sessions with a lead, for its timeline, the next one, and the tab in which one is planned. */
export function useLeadSessions(lead: Lead) {
  const query = useQuery(queryOptionsFor(demos.ofLead, { query: { lead_id: lead.lead_id } }))
  const mayAdd = useMay(demos.save)
  const { data: sessions = [], types = [] } = query.data ?? {}
  const tab: ComposerTab = {
    id: 'session',
    label: 'Session',
    letter: leadKeys.session,
    icon: <IconCalendarPlus size={14} stroke={1.5} aria-hidden />,
    draft: `lead-session-${lead.lead_id}`,
    content: <Loaded query={query}>{(found) => <SessionTab lead={lead} types={found.types} />}</Loaded>,
  }
  return {
    entries: sessions.map((demo) => entryOfSession(demo, lead.timezone)),
    tabs: mayAdd ? [tab] : [],
    next: <NextSession lead={lead} sessions={sessions} types={types} />,
  }
}

const entryOfSession = (demo: Demo, zone: string): TimelineEntry => ({
  id: `session-${demo.id}`,
  kind: 'Sessions',
  at: demo.created_at,
  ...(demo.who ? { who: demo.who } : {}),
  icon: <IconCalendarEvent size={14} stroke={1.5} aria-hidden />,
  content: <SessionLine demo={demo} zone={zone} />,
})

function SessionLine({ demo, zone }: { demo: Demo; zone: string }) {
  const at = demo.final_date ?? demo.requested_date
  return (
    <>
      added the session <b>{demo.type}</b>{' '}
      <Tone tone={demoTones[demo.status as DemoStatus]}>{demoStatuses[demo.status as DemoStatus]}</Tone>{' '}
      {at && <DualTime at={at} zone={zone} />}
    </>
  )
}
