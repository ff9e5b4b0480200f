import { Suspense, useState } from 'react'
import { dayText } from '#shared/dates.ts'
import type { LeadRow } from '#features/crm/leads/contract.ts'
import { rejectedStatus } from '#features/crm/leads/rules.ts'
import { useLeadOptions } from '#features/crm/leads/record/web/LeadOptions.tsx'
import { useLeadRights } from '#features/crm/leads/record/web/LeadRights.tsx'
import classes from '#features/crm/leads/record/web/leadCells.module.css'
import { lazyPart } from '#web/shell/lazy.tsx'
import { today } from '#web/time.ts'
import { CellButton } from '#web/list/cells.tsx'

const FollowupMenu = lazyPart(() => import('#features/crm/leads/record/web/FollowupMenu.tsx'), 'FollowupMenu')

type Lead = Pick<LeadRow, 'lead_id' | 'companyName' | 'followup_date' | 'status'>

/** A lead's follow-up date, editable in place. */
export function FollowupCell({ lead }: { lead: Lead }) {
  const [wanted, setWanted] = useState(false)
  const { setFollowup } = useLeadRights()
  const due = useDueness(lead)
  const date = lead.followup_date && dayText(lead.followup_date)
  const day = due === 'overdue' ? `Overdue ${date}` : due === 'today' ? 'Today' : date
  const shown = (
    <span className={classes.followup} data-due={due}>
      {day ?? <span className={classes.noDay}>{noDay}</span>}
    </span>
  )
  if (!setFollowup) return shown

  const label = `Follow-up date of ${lead.companyName}`
  const button = (props: object) => (
    <CellButton aria-haspopup="dialog" data-followup="" aria-label={`${label}: ${day ?? noDay}`} {...props}>
      {shown}
    </CellButton>
  )
  const closed = button({ onClick: () => setWanted(true) })
  if (!wanted) return closed
  return (
    <Suspense fallback={closed}>
      <FollowupMenu label={label} target={button} lead={lead} />
    </Suspense>
  )
}

/** Opens the menu of the follow-up date that an element shows, if the viewer can change it. */
export const openFollowup = (element: Element | null | undefined): void =>
  element?.querySelector<HTMLElement>('[data-followup]')?.click()

const noDay = 'Set date'

/**
 * Returns whether a follow-up is overdue or due today; undefined if neither. A won or rejected lead needs no
 * follow-up.
 */
function useDueness({ followup_date, status }: Lead): 'overdue' | 'today' | undefined {
  const { statuses } = useLeadOptions()
  const isWon = statuses.some(({ id, is_won }) => is_won && id === status)
  if (!followup_date || isWon || status === rejectedStatus) return undefined
  const now = today()
  return followup_date < now ? 'overdue' : followup_date === now ? 'today' : undefined
}
