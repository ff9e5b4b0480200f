import classes from '#features/crm/leads/record/web/leadCells.module.css'
import { RecordLink } from '#web/record/RecordLink.tsx'
import { slugOf } from '#web/slug.ts'

interface Named {
  lead_id: number
  companyName: string
}

/**
 * Returns the URL of a lead's details. The ID identifies the lead; the name is only for readability
 * (docs/spec-gaps.md G122).
 */
export const leadAddress = ({ lead_id, companyName }: Named): string =>
  `/demo-leads/${slugOf(companyName)}/${lead_id}`

/** Link to a lead, or its name for viewers who can't open leads. */
export const LeadLink = ({ lead, className }: { lead: Named; className?: string | undefined }) => (
  <RecordLink type="lead" id={lead.lead_id} name={lead.companyName} className={className} />
)

/** A lead's name in a list, linked to the lead. */
export const LeadName = ({ lead }: { lead: Named }) => <LeadLink lead={lead} className={classes.name} />
