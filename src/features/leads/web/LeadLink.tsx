import { Link } from '@tanstack/react-router'
import { slugOf } from '#web/slug.ts'

interface Named {
  lead_id: number
  companyName: string
}

/** The address of a lead's details; the id finds it, the name is for people (docs/spec-gaps.md G122). */
export const leadAddress = ({ lead_id, companyName }: Named): string => `/demo-leads/${slugOf(companyName)}/${lead_id}`

export function LeadLink({ lead, className }: { lead: Named; className?: string | undefined }) {
  return (
    <Link to={leadAddress(lead)} className={className}>
      {lead.companyName}
    </Link>
  )
}
