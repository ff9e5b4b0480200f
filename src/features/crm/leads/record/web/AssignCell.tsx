import type { Lead } from '#features/crm/leads/contract.ts'
import { CellMenu } from '#web/list/CellMenu.tsx'
import { useLeadRights } from '#features/crm/leads/record/web/LeadRights.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'

const AssignMenu = lazyPart(() => import('#features/crm/leads/record/web/LeadMenus.tsx'), 'AssignMenu')

/** A lead's assignee, editable in place. */
export function AssignCell({
  lead,
}: {
  lead: Pick<Lead, 'lead_id' | 'companyName' | 'assign_to' | 'assigned_name'>
}) {
  const { edit } = useLeadRights()
  return (
    <CellMenu
      label={`Assignee of ${lead.companyName}`}
      current={{ name: lead.assigned_name ?? 'Unassigned' }}
      may={edit}
    >
      {(at) => <AssignMenu lead={lead} at={at} />}
    </CellMenu>
  )
}
