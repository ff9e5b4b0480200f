import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import type { LeadFilters } from '#features/crm/leads/contract.ts'
import { leadOperations } from '#features/crm/leads/operations/contract.ts'
import { useDownload } from '#web/api/useDownload.ts'
import { useMay } from '#web/api/useSend.ts'
import { IconButton } from '#web/shell/controls.tsx'

/** The list as it is filtered and sorted now, as a CSV. */
export function ExportLeads({ filters }: { filters: LeadFilters }) {
  const { download, loading } = useDownload()
  const query = { ...filters, page: 1 }
  if (!useMay(leadOperations.exportCsv, { query })) return null

  return (
    <IconButton label="Export as CSV" busy={loading} onClick={() => void download(`leads-${filters.today ?? ''}.csv`, leadOperations.exportCsv, { query })}>
      <IconDownload size={16} aria-hidden />
    </IconButton>
  )
}
