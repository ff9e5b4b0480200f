import { useQuery } from '@tanstack/react-query'
import type { Lead } from '#features/crm/leads/contract.ts'
import { useLeadOptions } from '#features/crm/leads/record/web/LeadOptions.tsx'
import { demos, type Demo } from '#features/crm/leads/demos/contract.ts'
import { demoStatuses, type DemoStatus } from '#features/crm/leads/demos.rules.ts'
import { demoTones } from '#features/crm/leads/demos/web/DemosPanel.tsx'
import { DemoTime } from '#features/crm/leads/demos/web/DemoTimes.tsx'
import { useLeadMails, WriteToLead } from '#features/crm/leads/mails/web/LeadMails.tsx'
import { leadWords } from '#features/crm/leads/record/web/leadWords.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { Timeline } from '#web/record/Timeline.tsx'
import { Tone } from '#web/parts/Tone.tsx'

/** A lead's timeline: notes, emails, sessions, and changes. */
export function LeadTimeline({ lead }: { lead: Lead }) {
  const options = useLeadOptions()
  const mails = useLeadMails(lead.lead_id)
  const sessions = useQuery(queryOptionsFor(demos.ofLead, { query: { lead_id: lead.lead_id } }))
  return (
    <Timeline
      type="lead"
      live="leads"
      id={lead.lead_id}
      fields={leadWords(options)}
      more={[
        ...mails.happened,
        ...(sessions.data?.data ?? []).map((demo) => ({
          id: `session-${demo.id}`,
          kind: 'Sessions',
          at: demo.created_at,
          ...(demo.who ? { who: demo.who } : {}),
          content: <SessionLine demo={demo} zone={lead.timezone} />,
        })),
      ]}
    >
      <WriteToLead lead={lead} mails={mails} />
    </Timeline>
  )
}

function SessionLine({ demo, zone }: { demo: Demo; zone: string }) {
  const at = demo.final_date ?? demo.requested_date
  return (
    <p>
      {demo.type}{' '}
      <Tone tone={demoTones[demo.status as DemoStatus]}>{demoStatuses[demo.status as DemoStatus]}</Tone>{' '}
      {at && <DemoTime at={at} zone={zone} />}
    </p>
  )
}
