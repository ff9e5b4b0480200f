import { lazy, Suspense, useState } from 'react'
import { leads, type LeadRow } from '#features/leads/contract.ts'
import { rejectedStatus, whyNotReject } from '#features/leads/rules.ts'
import classes from '#features/leads/web/leads.module.css'
import { useMay } from '#web/api/useSend.ts'
import { loadChunk } from '#web/shell/lazy.tsx'

const LeadForm = lazy(() => loadChunk(() => import('#features/leads/web/LeadForm.tsx')))
const RejectLead = lazy(() => loadChunk(() => import('#features/leads/web/RejectLead.tsx')))

type Lead = Pick<LeadRow, 'lead_id' | 'companyName' | 'status'>

/** Edit and Reject, each for those who may; a form that is open stays when the right goes. */
export function LeadActions({ lead }: { lead: Lead }) {
  return (
    <span className={classes.actions}>
      <EditLead lead={lead} />
      <RejectButton lead={lead} />
    </span>
  )
}

function EditLead({ lead }: { lead: Lead }) {
  const [open, setOpen] = useState(false)
  const mayEdit = useMay(leads.update, { body: { lead_id: lead.lead_id } })
  // The form begins with what is stored of the lead.
  const mayShow = useMay(leads.show, { query: { id: lead.lead_id } })
  return (
    <>
      {mayEdit && mayShow && (
        <button type="button" className={classes.action} aria-label={`Edit ${lead.companyName}`} onClick={() => setOpen(true)}>
          Edit
        </button>
      )}
      {open && (
        <Suspense>
          <LeadForm id={lead.lead_id} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

function RejectButton({ lead }: { lead: Lead }) {
  const [open, setOpen] = useState(false)
  const mayReject = useMay(leads.changeDemoRequestStatus, { query: { id: lead.lead_id, status: rejectedStatus } })
  const whyNot = whyNotReject(lead.status)
  return (
    <>
      {mayReject && (
        <button
          type="button"
          className={classes.action}
          aria-label={`Reject ${lead.companyName}`}
          aria-disabled={whyNot !== undefined}
          title={whyNot}
          onClick={() => whyNot === undefined && setOpen(true)}
        >
          Reject
        </button>
      )}
      {open && (
        <Suspense>
          <RejectLead lead={lead} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
