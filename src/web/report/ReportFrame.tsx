import type { ReactNode } from 'react'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import IconPrinter from '@tabler/icons-react/dist/esm/icons/IconPrinter.mjs'
import type { PlainDate } from '#shared/dates.ts'
import { comparisons, type Comparison } from '#shared/report-period.ts'
import { DateRangeField, rangeText } from '#web/dates/DateRangeField.tsx'
import { reportPresets } from '#web/dates/presets.ts'
import { choice, type Filter } from '#web/filter/filters.tsx'
import { PageHeader } from '#web/parts/PageHeader.tsx'
import { TextButton } from '#web/parts/controls.tsx'
import { ReportExportContext, type ReportExport } from '#web/report/csv.tsx'
import classes from '#web/report/report.module.css'

interface Props<Filters> {
  /** Pages above the report, with their address. */
  parents: readonly (readonly [address: string, name: string])[]
  controls: readonly Filter<Filters>[]
  filters: Filters
  onChange: (changed: Partial<Filters>) => void
  report: ReportExport
  children: ReactNode
}

/** The page of a report: its header with Print and Export CSV, its filters, which are printed as text, and the report. */
export const ReportFrame = <Filters,>({
  parents,
  controls,
  filters,
  onChange,
  report,
  children,
}: Props<Filters>) => (
  <div className={classes.page}>
    <PageHeader parents={parents}>
      <TextButton icon={<IconPrinter size={14} aria-hidden />} onClick={() => window.print()}>
        Print
      </TextButton>
      <TextButton
        icon={<IconDownload size={14} aria-hidden />}
        title="All tables of this report, in a zip archive"
        disabled={report.isSaving}
        onClick={() => report.save()}
      >
        Export CSV
      </TextButton>
    </PageHeader>
    <div className={classes.filters}>
      {controls.map(({ id, control }) => (
        <span key={id}>{control(filters, onChange)}</span>
      ))}
    </div>
    <p className={classes.printed}>
      {controls
        .map(({ says }) => says(filters))
        .filter(Boolean)
        .join(' · ')}
    </p>
    <ReportExportContext value={report}>{children}</ReportExportContext>
  </div>
)

interface Period {
  from?: PlainDate | undefined
  to?: PlainDate | undefined
  compare?: Comparison | undefined
}

/** Returns the filters that every report has: its period, and what that is compared with. */
export const periodFilters = <F extends Period>(): Filter<F>[] => [
  {
    id: 'period',
    control: ({ from, to }, onChange) => (
      <DateRangeField
        label="Period"
        from={from}
        to={to}
        presetsOf={reportPresets}
        isRequired
        onChange={(first, last) => onChange({ from: first, to: last } as Partial<F>)}
      />
    ),
    says: ({ from, to }) => rangeText(from, to),
    cleared: { from: undefined, to: undefined } as Partial<F>,
  },
  choice<F>('compare', 'Compare with', comparisons.before, [
    ['year', comparisons.year],
    ['none', comparisons.none],
  ]),
]

/** Cards of a report side by side, below each other in a narrow window. */
export const Beside = ({ children }: { children: ReactNode }) => (
  <div className={classes.beside}>{children}</div>
)
