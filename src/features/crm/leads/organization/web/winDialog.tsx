import { Suspense } from 'react'
import type { WinProps } from '#features/crm/leads/record/web/LeadOptions.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'

const WinLead = lazyPart(() => import('#features/crm/leads/organization/web/WinLead.tsx'))

/** Asks for the organization of a lead that is won, wherever its status is set; see `LeadOptionsProvider`. */
export const winDialog = (props: WinProps) => (
  <Suspense>
    <WinLead {...props} />
  </Suspense>
)
