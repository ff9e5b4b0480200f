import { useEffect, useEffectEvent } from 'react'
import { useQuery } from '@tanstack/react-query'
import IconArrowUpRight from '@tabler/icons-react/dist/esm/icons/IconArrowUpRight.mjs'
import { leads, type Lead } from '#features/crm/leads/contract.ts'
import type { FollowUpRow } from '#features/crm/leads/follow-ups/contract.ts'
import { LeadChips } from '#features/crm/leads/page/web/LeadChips.tsx'
import { LeadFacts } from '#features/crm/leads/page/web/LeadFacts.tsx'
import { HeadActs } from '#features/crm/leads/page/web/LeadHead.tsx'
import { LeadRail } from '#features/crm/leads/page/web/LeadRail.tsx'
import { LeadTimeline } from '#features/crm/leads/page/web/LeadTimeline.tsx'
import classes from '#features/crm/leads/page/web/queue/queue.module.css'
import { useQueue } from '#features/crm/leads/page/web/queue/queueList.ts'
import { QueueKeys } from '#features/crm/leads/page/web/queue/QueueParts.tsx'
import { Reach } from '#features/crm/leads/page/web/queue/Reach.tsx'
import { useWhyNext } from '#features/crm/leads/page/web/queue/useWhyNext.ts'
import { useComposerKeys } from '#features/crm/leads/page/web/useComposerKeys.ts'
import { leadAddress } from '#features/crm/leads/record/web/LeadLink.tsx'
import { NextLeadContext } from '#features/crm/leads/record/web/nextLead.ts'
import { useLeadRights } from '#features/crm/leads/record/web/LeadRights.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { isNotFound } from '#web/api/errors.ts'
import { useMay } from '#web/api/useSend.ts'
import type { OpenRecord } from '#web/list/inbox/Inbox.tsx'
import { PaneHead } from '#web/list/inbox/PaneHead.tsx'
import { RecordPane } from '#web/list/inbox/RecordPane.tsx'
import { EmptyState } from '#web/list/states.tsx'
import { TextLink } from '#web/parts/controls.tsx'
import { Gone } from '#web/record/Gone.tsx'
import { Presence } from '#web/record/Presence.tsx'
import { PaneSheet, usePaneRail } from '#web/sheet/PaneSheet.tsx'
import { Story } from '#web/sheet/Story.tsx'

type Props = OpenRecord<FollowUpRow>

/** A lead that is open beside the queue: whom to call, how to reach them, and what was said before. */
export default function QueuePane({ id, row, note }: Props) {
  const may = useMay(leads.show, { query: { id } })
  const query = useQuery(queryOptionsFor(leads.show, { query: { id } }))
  return (
    <RecordPane query={query} one="lead" may={may} record={{ type: 'lead', id }}>
      {({ data }, error) => <OpenLead lead={data} row={row} note={note} error={error} />}
    </RecordPane>
  )
}

function OpenLead({
  lead,
  row,
  note,
  error,
}: Pick<Props, 'row' | 'note'> & { lead: Lead; error: Error | null }) {
  const { lead_id } = lead
  const { snoozing, opensDate, next } = useQueue()
  const pane = usePaneRail()
  const tabs = Object.values(useComposerKeys(lead_id))
  const tell = useEffectEvent((now: Lead) => row && note({ ...row, ...now }))
  useEffect(() => tell(lead), [lead])
  const toNext = () => next(lead_id)
  const snooze: typeof snoozing.snooze = (...moved) => {
    const done = snoozing.snooze(...moved)
    toNext()
    return done
  }
  return (
    <NextLeadContext value={toNext}>
      <PaneSheet
        pane={pane}
        head={
          <PaneHead title={lead.companyName} about={useWhyNext(lead)}>
            <Presence type="lead" id={lead_id} />
            <TextLink to={leadAddress(lead)} icon={<IconArrowUpRight size={14} aria-hidden />}>
              Open lead
            </TextLink>
            {pane.toggle}
            <HeadActs lead={lead} onRemoved={toNext} />
          </PaneHead>
        }
        rail={
          <>
            <LeadFacts lead={lead} />
            <LeadRail lead={lead} />
          </>
        }
      >
        <Gone type="lead" id={lead_id} error={error} />
        <Story>
          <div className={classes.chips}>
            <LeadChips
              lead={lead}
              followup={{ snooze, maySnooze: snoozing.maySnooze, opensDate: () => opensDate(lead_id) }}
            />
          </div>
          <Reach lead={lead} />
          {isNotFound(error) ? (
            <EmptyState title="This lead is in the trash">Restore it to see its timeline.</EmptyState>
          ) : (
            <LeadTimeline lead={lead} />
          )}
        </Story>
        <QueueKeys tabs={tabs} maySnooze={snoozing.maySnooze} mayReject={useLeadRights().reject} />
      </PaneSheet>
    </NextLeadContext>
  )
}
