import { Suspense } from 'react'
import type { OrganizationDetail } from '#features/crm/organizations/contract.ts'
import { useUndo } from '#web/record/useUndo.ts'
import { lazyPart } from '#web/shell/lazy.tsx'

const TrialForm = lazyPart(() => import('#features/crm/organizations/web/TrialForm.tsx'))
const VideoForm = lazyPart(() => import('#features/crm/organizations/web/VideoForm.tsx'))
const ProductsForm = lazyPart(() => import('#features/crm/organizations/web/ProductsForm.tsx'))

/** The dialogs of an organization's page. */
export type OpenDialog = 'trial' | 'video' | 'products'

/** Returns the options of `useSend` for a change of an organization: its toast. */
export function useOrganizationChange() {
  const { announceAct } = useUndo()
  return {
    onDone: (reply: { message: string; operation?: any }) => announceAct(reply.message, reply.operation),
  }
}

export function OrganizationDialogs({
  organization,
  open,
  onClose,
}: {
  organization: OrganizationDetail['organization']
  open: OpenDialog | undefined
  onClose: () => void
}) {
  const props = { organization, onClose }
  return (
    <Suspense>
      {open === 'trial' && <TrialForm {...props} />}
      {open === 'video' && <VideoForm {...props} />}
      {open === 'products' && <ProductsForm {...props} />}
    </Suspense>
  )
}
