import { Suspense, useState } from 'react'
import type { LeadRow } from '#features/crm/leads/contract.ts'
import { leadFields } from '#features/crm/leads/fields.ts'
import { useLeadRights } from '#features/crm/leads/record/web/LeadRights.tsx'
import { CellButton } from '#web/list/cells.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'

const EditFieldCell = lazyPart(() => import('#features/crm/leads/record/web/EditFieldCell.tsx'))

export interface FieldCellProps {
  lead: LeadRow
  name: 'amount' | 'expected_close' | 'lead_date' | 'request_date'
  /** The value as text; empty if there is none. */
  shown: string
}

/** A date or the amount of a lead in the list, editable in place. */
export function FieldCell({ lead, name, shown }: FieldCellProps) {
  const [wanted, setWanted] = useState(false)
  const { edit } = useLeadRights()
  if (!edit) return shown

  const label = `${leadFields[name].label} of ${lead.companyName}`
  const button = (props: object) => (
    <CellButton aria-label={`${label}: ${shown || 'not set'}`} {...props}>
      {shown || '—'}
    </CellButton>
  )
  const closed = button({ onClick: () => setWanted(true) })
  if (!wanted) return closed
  return (
    <Suspense fallback={closed}>
      <EditFieldCell lead={lead} name={name} shown={shown} label={label} button={button} />
    </Suspense>
  )
}
