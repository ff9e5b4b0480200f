import type { LeadRow } from '#features/leads/contract.ts'
import { ColorCell } from '#features/leads/web/ColorCell.tsx'
import { FollowupCell } from '#features/leads/web/FollowupCell.tsx'
import { LeadActions } from '#features/leads/web/LeadActions.tsx'
import { LeadLink } from '#features/leads/web/LeadLink.tsx'
import { MoreActs } from '#features/leads/web/MoreActs.tsx'
import { StatusCell } from '#features/leads/web/StatusCell.tsx'
import classes from '#features/leads/web/leads.module.css'

/** A lead on a phone. */
export function LeadCard({ lead }: { lead: LeadRow }) {
  const reach = [lead.contactName, lead.country].filter(Boolean).join(' · ')
  return (
    <div className={classes.leadCard}>
      <div className={classes.cardTop}>
        <LeadLink lead={lead} className={classes.company} />
        <FollowupCell lead={lead} />
      </div>
      {reach && <p className={classes.cardText}>{reach}</p>}
      <div className={classes.cardBottom}>
        <StatusCell lead={lead} />
        <ColorCell lead={lead} />
        <LeadActions lead={lead} />
        <MoreActs lead={lead} />
      </div>
    </div>
  )
}
