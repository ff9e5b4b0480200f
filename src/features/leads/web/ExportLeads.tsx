import { ActionIcon } from '@mantine/core'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import type { LeadFilters } from '#features/leads/contract.ts'
import { leadOperations } from '#features/leads/operations.contract.ts'
import { useDownload } from '#web/api/useDownload.ts'
import { useMay } from '#web/api/useSend.ts'

/** The list as it is filtered and sorted now, as a CSV. */
export function ExportLeads({ filters }: { filters: LeadFilters }) {
  const { download, loading } = useDownload()
  const query = { ...filters, page: 1 }
  if (!useMay(leadOperations.exportCsv, { query })) return null

  return (
    <ActionIcon
      variant="default"
      size={30}
      aria-label="Export as CSV"
      title="Export as CSV"
      loading={loading}
      onClick={() => void download(`leads-${filters.today ?? ''}.csv`, leadOperations.exportCsv, { query })}
    >
      <IconDownload size={16} aria-hidden />
    </ActionIcon>
  )
}
