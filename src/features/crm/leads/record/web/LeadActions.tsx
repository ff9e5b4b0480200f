import { Suspense, useState } from 'react'
import type { LeadRow } from '#features/crm/leads/contract.ts'
import { whyNotReject } from '#features/crm/leads/rules.ts'
import { useLeadRights } from '#features/crm/leads/record/web/LeadRights.tsx'
import { RowAction, RowActions } from '#web/list/cells.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'

const LeadForm = lazyPart(() => import('#features/crm/leads/record/web/LeadForm.tsx'))
const RejectLead = lazyPart(() => import('#features/crm/leads/record/web/RejectLead.tsx'))

/**
 * Edit and Reject actions, limited to those that the viewer is allowed to use; an open form stays open if the
 * permission is revoked.
 */
export function LeadActions({ lead }: { lead: Pick<LeadRow, 'lead_id' | 'companyName' | 'status'> }) {
  const [open, setOpen] = useState<'form' | 'rejection'>()
  const { edit, reject } = useLeadRights()
  const whyNot = whyNotReject(lead.status)
  const close = () => setOpen(undefined)
  return (
    <RowActions>
      {edit && (
        <RowAction aria-label={`Edit ${lead.companyName}`} onClick={() => setOpen('form')}>
          Edit
        </RowAction>
      )}
      {reject && (
        <RowAction
          aria-label={`Reject ${lead.companyName}`}
          whyNot={whyNot}
          onClick={() => setOpen('rejection')}
        >
          Reject
        </RowAction>
      )}
      {open && (
        <Suspense>
          {open === 'form' ? (
            <LeadForm id={lead.lead_id} onClose={close} />
          ) : (
            <RejectLead lead={lead} onClose={close} />
          )}
        </Suspense>
      )}
    </RowActions>
  )
}
