import { Suspense } from 'react'
import { useQuery } from '@tanstack/react-query'
import IconCalendarEvent from '@tabler/icons-react/dist/esm/icons/IconCalendarEvent.mjs'
import type { Lead } from '#features/crm/leads/contract.ts'
import { useLeadOptions } from '#features/crm/leads/record/web/LeadOptions.tsx'
import { demos, type Demo } from '#features/crm/leads/demos/contract.ts'
import { demoStatuses, type DemoStatus } from '#features/crm/leads/demos.rules.ts'
import { demoTones } from '#features/crm/leads/demos/web/DemosPanel.tsx'
import { DemoTime } from '#features/crm/leads/demos/web/DemoTimes.tsx'
import { LeadQuestions, useLeadMails } from '#features/crm/leads/mails/web/LeadMails.tsx'
import { useLeadEmail } from '#features/crm/leads/mails/web/useLeadEmail.tsx'
import { useLeadCalls } from '#features/crm/leads/calls/web/useLeadCalls.tsx'
import { leadWords } from '#features/crm/leads/record/web/leadWords.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { Timeline, type TimelineEntry } from '#web/record/Timeline.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'
import { Tone } from '#web/parts/Tone.tsx'

const NextFollowup = lazyPart(() => import('#features/crm/leads/record/web/NextFollowup.tsx'), 'NextFollowup')

/** A lead's timeline: notes, emails, calls, sessions, and changes. */
export function LeadTimeline({ lead }: { lead: Lead }) {
  const options = useLeadOptions()
  const mails = useLeadMails(lead.lead_id)
  const calls = useLeadCalls(lead)
  const sessions = useQuery(queryOptionsFor(demos.ofLead, { query: { lead_id: lead.lead_id } }))
  return (
    <Timeline
      type="lead"
      live="leads"
      id={lead.lead_id}
      fields={leadWords(options)}
      email={useLeadEmail(lead.lead_id)}
      afterNote={
        <Suspense>
          <NextFollowup lead={lead} />
        </Suspense>
      }
      tabs={calls.tabs}
      shownByMore={['call_id']}
      more={[
        ...mails.happened,
        ...calls.entries,
        ...(sessions.data?.data ?? []).map((demo) => entryOfSession(demo, lead.timezone)),
      ]}
    >
      <LeadQuestions lead={lead} mails={mails} />
      {calls.failure}
    </Timeline>
  )
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
      {at && <DemoTime at={at} zone={zone} />}
    </>
  )
}
