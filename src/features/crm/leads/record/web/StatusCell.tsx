import type { LeadRow } from '#features/crm/leads/contract.ts'
import { CellMenu } from '#web/list/CellMenu.tsx'
import { tonedEntryById, useLeadOptions } from '#features/crm/leads/record/web/LeadOptions.tsx'
import { useLeadRights } from '#features/crm/leads/record/web/LeadRights.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'

const StatusMenu = lazyPart(() => import('#features/crm/leads/record/web/LeadMenus.tsx'), 'StatusMenu')

/** A lead's status, editable in place. */
export function StatusCell({ lead }: { lead: Pick<LeadRow, 'lead_id' | 'companyName' | 'status'> }) {
  const { statuses } = useLeadOptions()
  const { setStatus, reject } = useLeadRights()
  return (
    <CellMenu
      label={`Status of ${lead.companyName}`}
      current={tonedEntryById(statuses, lead.status)}
      may={setStatus || reject}
    >
      {(at) => <StatusMenu lead={lead} at={at} />}
    </CellMenu>
  )
}
