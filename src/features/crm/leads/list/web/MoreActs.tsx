import { Suspense } from 'react'
import type { LeadRow } from '#features/crm/leads/contract.ts'
import { useLeadRights } from '#features/crm/leads/record/web/LeadRights.tsx'
import { RowAction } from '#web/list/cells.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'
import { useMenuButton } from '#web/parts/useMenuButton.ts'

const MoreMenu = lazyPart(() => import('#features/crm/leads/list/web/MoreMenu.tsx'))

/** Button with a menu of the other actions on a lead row. */
export function MoreActs({ lead }: { lead: LeadRow }) {
  const { props, wanted, at } = useMenuButton()
  const { more } = useLeadRights()
  return (
    <>
      {more && (
        <RowAction data-icon aria-label={`More actions for ${lead.companyName}`} title="More" {...props}>
          ⋯
        </RowAction>
      )}
      {/* A form opened from the menu stays open if the permission is revoked. */}
      {wanted && (
        <Suspense>
          <MoreMenu lead={lead} at={at} />
        </Suspense>
      )}
    </>
  )
}
