import type { LeadRow } from '#features/crm/leads/contract.ts'
import { ColorCell } from '#features/crm/leads/cells/web/ColorCell.tsx'
import { FollowupCell } from '#features/crm/leads/cells/web/FollowupCell.tsx'
import { LeadActions } from '#features/crm/leads/cells/web/LeadActions.tsx'
import { LeadLink } from '#features/crm/leads/cells/web/LeadLink.tsx'
import { MoreActs } from '#features/crm/leads/cells/web/MoreActs.tsx'
import { StatusCell } from '#features/crm/leads/cells/web/StatusCell.tsx'
import { PhoneLink } from '#web/parts/PhoneLink.tsx'
import classes from '#features/crm/leads/list/web/leads.module.css'

/** Card for a lead, for phones. */
export function LeadCard({ lead }: { lead: LeadRow }) {
  const reach = [lead.contactName, lead.country].filter(Boolean).join(' · ')
  return (
    <div className={classes.leadCard}>
      <div className={classes.cardTop}>
        <LeadLink lead={lead} className={classes.company} />
        <FollowupCell lead={lead} />
      </div>
      {reach && <p className={classes.cardText}>{reach}</p>}
      {lead.phone && (
        <p className={classes.cardText}>
          <PhoneLink number={lead.phone} />
        </p>
      )}
      <div className={classes.cardBottom}>
        <StatusCell lead={lead} />
        <ColorCell lead={lead} />
        <LeadActions lead={lead} />
        <MoreActs lead={lead} />
      </div>
    </div>
  )
}
