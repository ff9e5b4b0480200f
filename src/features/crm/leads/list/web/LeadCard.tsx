import type { LeadRow } from '#features/crm/leads/contract.ts'
import { LeadActions } from '#features/crm/leads/record/web/LeadActions.tsx'
import { LeadCardFrame } from '#features/crm/leads/record/web/LeadCardFrame.tsx'
import { useAllProducts } from '#web/shell/useScope.ts'
import { MoreActs } from '#features/crm/leads/list/web/MoreActs.tsx'
import { entryById, useLeadOptions } from '#features/crm/leads/record/web/LeadOptions.tsx'
import { PhoneLink } from '#web/parts/PhoneLink.tsx'
import { Soft } from '#web/parts/Soft.tsx'

/** Card for a lead, for phones. */
export function LeadCard({ lead }: { lead: LeadRow }) {
  const { products } = useLeadOptions()
  const product = useAllProducts() ? entryById(products, lead.lead_for).name : ''
  const reach = [product, lead.contactName, lead.country].filter(Boolean).join(' · ')
  return (
    <LeadCardFrame
      lead={lead}
      actions={
        <>
          <LeadActions lead={lead} />
          <MoreActs lead={lead} />
        </>
      }
    >
      {reach && <Soft>{reach}</Soft>}
      {lead.phone && (
        <Soft>
          <PhoneLink number={lead.phone} />
        </Soft>
      )}
    </LeadCardFrame>
  )
}
