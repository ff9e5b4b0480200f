import type { ReactNode } from 'react'
import type { LeadRow } from '#features/crm/leads/contract.ts'
import { ColorCell } from '#features/crm/leads/record/web/ColorCell.tsx'
import { FollowupCell } from '#features/crm/leads/record/web/FollowupCell.tsx'
import classes from '#features/crm/leads/record/web/leadCells.module.css'
import { LeadName } from '#features/crm/leads/record/web/LeadLink.tsx'
import { StuckMark } from '#features/crm/leads/record/web/StuckMark.tsx'
import { StatusCell } from '#features/crm/leads/record/web/StatusCell.tsx'

interface Props {
  lead: LeadRow
  /** Lines of text between the name and the status. */
  children: ReactNode
  actions: ReactNode
}

/** Frame of a lead's card in a list on a phone. */
export const LeadCardFrame = ({ lead, children, actions }: Props) => (
  <div className={classes.card}>
    <div className={classes.cardTop}>
      <span>
        <LeadName lead={lead} />
        <StuckMark lead={lead} />
      </span>
      <FollowupCell lead={lead} />
    </div>
    {children}
    <div className={classes.cardBottom}>
      <StatusCell lead={lead} />
      <ColorCell lead={lead} />
      {actions}
    </div>
  </div>
)
