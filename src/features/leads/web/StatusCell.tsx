import { lazy, Suspense, useState } from 'react'
import { leads, type LeadRow } from '#features/leads/contract.ts'
import { rejectedStatus } from '#features/leads/rules.ts'
import { LazyMenu } from '#features/leads/web/LazyMenu.tsx'
import { toned, useLeadOptions } from '#features/leads/web/LeadOptions.tsx'
import { refreshedByLead, showInList } from '#features/leads/web/showInList.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { Tone } from '#web/shell/Tone.tsx'
import { loadChunk } from '#web/shell/lazy.tsx'

const RejectLead = lazy(() => loadChunk(() => import('#features/leads/web/RejectLead.tsx')))

/** The status of a lead, changed in place; the rejected one asks for its message first. */
export function StatusCell({ lead }: { lead: Pick<LeadRow, 'lead_id' | 'companyName' | 'status'> }) {
  const { statuses } = useLeadOptions()
  const [rejecting, setRejecting] = useState(false)
  const { send } = useSend(leads.changeLeadStatus, {
    refresh: refreshedByLead,
    showAtOnce: ({ query }, queries) => showInList(queries, query.id as number, { status: Number(query.status) }),
  })
  const mayChange = useMay(leads.changeLeadStatus, { query: { id: lead.lead_id, status: 1 } })
  const mayReject = useMay(leads.changeDemoRequestStatus, { query: { id: lead.lead_id, status: rejectedStatus } })
  const current = toned(statuses, lead.status)

  if (!mayChange && !mayReject && !rejecting) return <Tone tone={current.tone}>{current.name}</Tone>
  const options = statuses.filter(({ id }) => (id === rejectedStatus ? mayReject : mayChange))
  return (
    <>
      <LazyMenu
        label={`Status of ${lead.companyName}`}
        current={current}
        options={options}
        chosen={lead.status}
        onChoose={(status) => (status === rejectedStatus ? setRejecting(true) : void send({ query: { id: lead.lead_id, status } }))}
      />
      {rejecting && (
        <Suspense>
          <RejectLead lead={lead} onClose={() => setRejecting(false)} />
        </Suspense>
      )}
    </>
  )
}
