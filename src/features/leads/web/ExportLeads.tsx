import { useState } from 'react'
import { ActionIcon } from '@mantine/core'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import type { LeadFilters } from '#features/leads/contract.ts'
import { leadOperations } from '#features/leads/operations.contract.ts'
import { requestFile } from '#web/api/client.ts'
import { wordsOf } from '#web/api/errors.ts'
import { useMay } from '#web/api/useSend.ts'
import { toast } from '#web/shell/toast.ts'

/** The list as it is filtered and sorted now, as a CSV. */
export function ExportLeads({ filters }: { filters: LeadFilters }) {
  const [loading, setLoading] = useState(false)
  const query = { ...filters, page: 1 }
  if (!useMay(leadOperations.exportCsv, { query })) return null

  async function download(): Promise<void> {
    setLoading(true)
    try {
      const link = document.createElement('a')
      link.href = URL.createObjectURL(await requestFile(leadOperations.exportCsv, { query }))
      link.download = `leads-${filters.today ?? ''}.csv`
      link.click()
      setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
    } catch (error) {
      toast.failure(wordsOf(error))
    } finally {
      setLoading(false)
    }
  }

  return (
    <ActionIcon variant="default" size={30} aria-label="Export as CSV" title="Export as CSV" loading={loading} onClick={() => void download()}>
      <IconDownload size={16} aria-hidden />
    </ActionIcon>
  )
}
