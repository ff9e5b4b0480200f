import { Suspense, useState, type ReactNode } from 'react'
import type { LeadRow } from '#features/crm/leads/contract.ts'
import { leadCalls } from '#features/crm/leads/calls/contract.ts'
import { useMay } from '#web/api/useSend.ts'
import { lazyPart } from '#web/shell/lazy.tsx'

const LogCall = lazyPart(() => import('#features/crm/leads/calls/web/LogCall.tsx'))

/** Returns the function that opens the form for a call, undefined if the viewer can't log calls, and the form. */
export function useCalling(mayOpenLead: boolean): {
  call: ((lead: LeadRow) => void) | undefined
  form: ReactNode
} {
  const [called, setCalled] = useState<LeadRow>()
  const mayLog = useMay(leadCalls.log, { body: { lead_id: 1, outcome: 1 } })
  return {
    call: mayLog && mayOpenLead ? setCalled : undefined,
    form: called && (
      <Suspense>
        <LogCall key={called.lead_id} lead={called} onClose={() => setCalled(undefined)} />
      </Suspense>
    ),
  }
}
