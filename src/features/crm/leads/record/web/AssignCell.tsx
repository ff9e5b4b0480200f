import type { ReactNode } from 'react'
import type { Lead } from '#features/crm/leads/contract.ts'
import { CellMenu } from '#web/list/CellMenu.tsx'
import { useLeadRights } from '#features/crm/leads/record/web/LeadRights.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'

const AssignMenu = lazyPart(() => import('#features/crm/leads/record/web/LeadMenus.tsx'), 'AssignMenu')

interface Props {
  lead: Pick<Lead, 'lead_id' | 'companyName' | 'assign_to' | 'assigned_name'>
  /** Shown instead of the name, such as the name with initials. */
  shown?: ReactNode
}

/** A lead's assignee, editable in place. */
export function AssignCell({ lead, shown }: Props) {
  const { edit } = useLeadRights()
  return (
    <CellMenu
      label={`Assignee of ${lead.companyName}`}
      current={{ name: lead.assigned_name ?? 'Unassigned' }}
      may={edit}
      shown={shown}
    >
      {(at) => <AssignMenu lead={lead} at={at} />}
    </CellMenu>
  )
}
