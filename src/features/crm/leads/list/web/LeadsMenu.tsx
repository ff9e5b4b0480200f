import { leadQueriesAfterBulk } from '#features/crm/leads/cells/web/patchLeadCaches.ts'
import { useNavigate } from '@tanstack/react-router'
import type { LeadFilters } from '#features/crm/leads/contract.ts'
import { leadOperations } from '#features/crm/leads/operations/contract.ts'
import { useLastAct, useUndo } from '#web/record/useUndo.ts'
import { useDownload } from '#web/api/useDownload.ts'
import { useMay } from '#web/api/useSend.ts'
import { Menu, MenuItem } from '#web/parts/Menu.tsx'
import type { MenuAt } from '#web/parts/useMenuButton.ts'

/**
 * Menu with the follow-up queue, the bulk operations, the trash, and the export of the list as currently
 * filtered and sorted.
 */
export default function LeadsMenu({ filters, at }: { filters: LeadFilters; at: MenuAt }) {
  const navigate = useNavigate()
  const { download } = useDownload()
  const query = { ...filters, page: 1 }
  const mayExport = useMay(leadOperations.exportCsv, { query })
  const mayUndo = useMay(leadOperations.list)
  const mayRestore = useMay(leadOperations.trash)
  const last = useLastAct()
  const { undo, redo } = useUndo(leadQueriesAfterBulk)
  return (
    <Menu {...at} label="More" end>
      {last && (
        <MenuItem onClick={() => (last.undone ? redo : undo)(last.operation.id)}>
          {last.undone ? 'Redo' : 'Undo'} “{last.operation.summary}”
        </MenuItem>
      )}
      <MenuItem onClick={() => void navigate({ to: '/demo-leads/follow-ups' })}>Follow-ups</MenuItem>
      {mayUndo && (
        <MenuItem onClick={() => void navigate({ to: '/demo-leads/operations' })}>Undo history</MenuItem>
      )}
      {mayExport && (
        <MenuItem
          onClick={() =>
            void download(`leads-${filters.today ?? ''}.csv`, leadOperations.exportCsv, { query })
          }
        >
          Export as CSV
        </MenuItem>
      )}
      {mayRestore && <MenuItem onClick={() => void navigate({ to: '/demo-leads/trash' })}>Trash</MenuItem>}
    </Menu>
  )
}
