import type { ReactNode } from 'react'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import IconPrinter from '@tabler/icons-react/dist/esm/icons/IconPrinter.mjs'
import type { Filter } from '#web/filter/filters.tsx'
import { PageHeader } from '#web/parts/PageHeader.tsx'
import { TextButton } from '#web/parts/controls.tsx'
import classes from '#web/report/report.module.css'

interface Props<Filters> {
  /** Pages above the report, with their address. */
  parents: readonly (readonly [address: string, name: string])[]
  controls: readonly Filter<Filters>[]
  filters: Filters
  onChange: (changed: Partial<Filters>) => void
  onExport: () => void
  isExporting: boolean
  children: ReactNode
}

/** The page of a report: its header with Print and Export CSV, its filters, and the report. */
export const ReportFrame = <Filters,>({
  parents,
  controls,
  filters,
  onChange,
  onExport,
  isExporting,
  children,
}: Props<Filters>) => (
  <div className={classes.page}>
    <PageHeader parents={parents}>
      <TextButton icon={<IconPrinter size={14} aria-hidden />} onClick={() => window.print()}>
        Print
      </TextButton>
      <TextButton icon={<IconDownload size={14} aria-hidden />} disabled={isExporting} onClick={onExport}>
        Export CSV
      </TextButton>
    </PageHeader>
    <div className={classes.filters}>
      {controls.map(({ id, control }) => (
        <span key={id}>{control(filters, onChange)}</span>
      ))}
    </div>
    {children}
  </div>
)

/** Cards of a report side by side, below each other in a narrow window. */
export const Beside = ({ children }: { children: ReactNode }) => (
  <div className={classes.beside}>{children}</div>
)
