import { Suspense } from 'react'
import type { Lead } from '#features/crm/leads/contract.ts'
import { useLeadCalls } from '#features/crm/leads/calls/web/useLeadCalls.tsx'
import { useLeadSessions } from '#features/crm/leads/demos/web/useLeadSessions.tsx'
import { LeadQuestions, useLeadMails } from '#features/crm/leads/mails/web/LeadMails.tsx'
import { useLeadEmail } from '#features/crm/leads/mails/web/useLeadEmail.tsx'
import { useLeadWords } from '#features/crm/leads/record/web/useLeadWords.ts'
import { Timeline } from '#web/record/Timeline.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'

const NextFollowup = lazyPart(() => import('#features/crm/leads/record/web/NextFollowup.tsx'), 'NextFollowup')

/** A lead's timeline: its next session, and its notes, emails, calls, sessions, and changes. */
export function LeadTimeline({ lead }: { lead: Lead }) {
  const mails = useLeadMails(lead.lead_id)
  const calls = useLeadCalls(lead)
  const sessions = useLeadSessions(lead)
  return (
    <Timeline
      type="lead"
      id={lead.lead_id}
      fields={useLeadWords()}
      email={useLeadEmail(lead)}
      afterNote={
        <Suspense>
          <NextFollowup lead={lead} />
        </Suspense>
      }
      isTitleHidden
      tabs={[...calls.tabs, ...sessions.tabs]}
      shownByMore={['call_id']}
      more={[...mails.happened, ...calls.entries, ...sessions.entries]}
    >
      {sessions.next}
      <LeadQuestions lead={lead} mails={mails} />
      {calls.failure}
    </Timeline>
  )
}
