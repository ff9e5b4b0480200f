import IconClockExclamation from '@tabler/icons-react/dist/esm/icons/IconClockExclamation.mjs'
import type { LeadRow } from '#features/crm/leads/contract.ts'
import classes from '#features/crm/leads/record/web/leadCells.module.css'
import { VisuallyHidden } from '#web/parts/VisuallyHidden.tsx'

/** Mark of a lead with more days without activity than its status allows. */
export function StuckMark({ lead: { stuck_days: days } }: { lead: Pick<LeadRow, 'stuck_days'> }) {
  if (days === null) return null
  const words = `Stuck: no activity for ${days === 1 ? 'a day' : `${days} days`}`
  return (
    <span className={classes.stuck} title={words}>
      <IconClockExclamation size={14} stroke={1.5} aria-hidden />
      <VisuallyHidden>{words}</VisuallyHidden>
    </span>
  )
}
