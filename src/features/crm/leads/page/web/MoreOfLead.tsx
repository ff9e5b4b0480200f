import { leadQueriesAfterBulk } from '#features/crm/leads/record/web/patchLeadCaches.ts'
import { Suspense, useState } from 'react'
import { useNavigate } from '@tanstack/react-router'
import type { Lead } from '#features/crm/leads/contract.ts'
import { leadAddress } from '#features/crm/leads/record/web/LeadLink.tsx'
import { leadOperations } from '#features/crm/leads/operations.contract.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { useBackToList } from '#web/record/useBackToList.ts'
import { lazyPart } from '#web/shell/lazy.tsx'
import { Menu, MenuItem } from '#web/parts/Menu.tsx'
import { useMenuButton } from '#web/parts/useMenuButton.ts'
import { RowAction } from '#web/list/cells.tsx'
import { useUndo } from '#web/record/useUndo.ts'

const MergeWith = lazyPart(() => import('#features/crm/leads/operations/web/MergeWith.tsx'))

/** Menu with the actions that remove a lead from the list: merge and move to trash. */
export function MoreOfLead({ lead }: { lead: Lead }) {
  const { props, at } = useMenuButton()
  const [merging, setMerging] = useState(false)
  const navigate = useNavigate()
  const backToList = useBackToList('/demo-leads')
  const { announceAct } = useUndo(leadQueriesAfterBulk)
  const remove = { selection: { ids: [lead.lead_id] }, change: { kind: 'delete' as const } }
  const may = useMay(leadOperations.change, { body: remove })
  const { send } = useSend(leadOperations.change, {
    refresh: leadQueriesAfterBulk,
    onDone: ({ message, operation }) => {
      announceAct(message, operation)
      backToList()
    },
  })
  return (
    <>
      {may && (
        <>
          <RowAction aria-label={`More actions for ${lead.companyName}`} {...props}>
            More
          </RowAction>
          <Menu {...at} label={`More actions for ${lead.companyName}`} end width={200}>
            <MenuItem onClick={() => setMerging(true)}>Merge with another lead</MenuItem>
            <MenuItem onClick={() => void send({ body: remove })}>Move to trash</MenuItem>
          </Menu>
        </>
      )}
      {merging && (
        <Suspense>
          <MergeWith
            lead={lead}
            onMerged={(kept) => void navigate({ to: leadAddress(kept) })}
            onClose={() => setMerging(false)}
          />
        </Suspense>
      )}
    </>
  )
}
