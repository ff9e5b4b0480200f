import { createContext, use } from 'react'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import type { EndpointShape } from '#shared/endpoint.ts'
import { useDownload } from '#web/api/useDownload.ts'
import { IconButton } from '#web/parts/controls.tsx'

export interface ReportExport {
  /** Saves a table of the report as CSV, or all of them in a zip archive. */
  save: (table?: string) => void
  isSaving: boolean
}

/** The export of the report around a table. */
export const ReportExportContext = createContext<ReportExport | undefined>(undefined)

/** Returns the export of a report, whose endpoint takes the filters of the report and a `table`. */
export function useReportExport(name: string, endpoint: EndpointShape, filters: object): ReportExport {
  const { download, loading } = useDownload()
  // The tables are known only to the endpoint, so the call is cast, as that of lists.
  const downloadAs = download as (name: string, endpoint: EndpointShape, input: object) => Promise<void>
  return {
    save: (table) => {
      const file = table === undefined ? `${name}.zip` : `${name}, ${table}.csv`
      void downloadAs(file, endpoint, { query: { ...filters, table } })
    },
    isSaving: loading,
  }
}

interface Props {
  /** Name of the table in the export. */
  table: string
  title: string
}

/** A button in the heading of a report's table that saves it as CSV; nothing outside a report. */
export function CsvButton({ table, title }: Props) {
  const report = use(ReportExportContext)
  if (!report) return null
  return (
    <IconButton
      bare
      label={`Export CSV: ${title}`}
      disabled={report.isSaving}
      onClick={() => report.save(table)}
    >
      <IconDownload size={16} aria-hidden />
    </IconButton>
  )
}
