import type { Lead } from '#features/crm/leads/contract.ts'
import { GoneNotice } from '#features/crm/leads/page/web/GoneNotice.tsx'
import { LeadFacts } from '#features/crm/leads/page/web/LeadFacts.tsx'
import { LeadHead } from '#features/crm/leads/page/web/LeadHead.tsx'
import { LeadRail } from '#features/crm/leads/page/web/LeadRail.tsx'
import { LeadTimeline } from '#features/crm/leads/page/web/LeadTimeline.tsx'
import { EmptyState } from '#web/list/states.tsx'
import { Sheet } from '#web/sheet/Sheet.tsx'
import { Story } from '#web/sheet/Story.tsx'

interface Props {
  lead: Lead
  /** Whether the lead was moved to the trash or merged while its page is open. */
  isGone: boolean
}

/** The sheet of a lead: its facts, its story, and what is linked to it. */
const LeadSheet = ({ lead, isGone }: Props) => (
  <Sheet
    head={<LeadHead lead={lead} />}
    notice={isGone && <GoneNotice id={lead.lead_id} />}
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
      {isGone ? (
        <EmptyState title="This lead is in the trash">Restore it to see its timeline.</EmptyState>
      ) : (
        <LeadTimeline lead={lead} />
      )}
    </Story>
  </Sheet>
)
export default LeadSheet
