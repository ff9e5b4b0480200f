import type { Lead } from '#features/crm/leads/contract.ts'
import { LeadFacts } from '#features/crm/leads/page/web/LeadFacts.tsx'
import { LeadHead } from '#features/crm/leads/page/web/LeadHead.tsx'
import { LeadRail } from '#features/crm/leads/page/web/LeadRail.tsx'
import { LeadTimeline } from '#features/crm/leads/page/web/LeadTimeline.tsx'
import { isNotFound } from '#web/api/errors.ts'
import { EmptyState } from '#web/list/states.tsx'
import { Gone } from '#web/record/Gone.tsx'
import { Sheet } from '#web/sheet/Sheet.tsx'
import { Story } from '#web/sheet/Story.tsx'

interface Props {
  lead: Lead
  /** Why the lead couldn't be loaded again, for example because someone moved it to the trash. */
  error: Error | null
}

/** The sheet of a lead: its facts, its story, and what is linked to it. */
const LeadSheet = ({ lead, error }: Props) => (
  <Sheet
    head={<LeadHead lead={lead} />}
    notice={<Gone type="lead" id={lead.lead_id} error={error} />}
    facts={<LeadFacts lead={lead} />}
    rail={<LeadRail lead={lead} />}
    summary={
      <span>
        {[lead.contactName, lead.phone, lead.email].filter(Boolean).join(' · ') ||
          'No contact, phone number, or email address'}
      </span>
    }
  >
    <Story>
      {isNotFound(error) ? (
        <EmptyState title="This lead is in the trash">Restore it to see its timeline.</EmptyState>
      ) : (
        <LeadTimeline lead={lead} />
      )}
    </Story>
  </Sheet>
)
export default LeadSheet
