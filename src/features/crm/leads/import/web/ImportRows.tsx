import { useState } from 'react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import {
  leadImports,
  type ImportOutcome,
  type ImportRow,
  type ShownValue,
} from '#features/crm/leads/import/contract.ts'
import { outcomes } from '#features/crm/leads/import/web/outcomes.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useTableColumns, type Column } from '#web/list/columns.ts'
import { Pager } from '#web/list/Pager.tsx'
import { EmptyState, ErrorState } from '#web/list/states.tsx'
import { DataTable } from '#web/list/table/DataTable.tsx'
import { Tone } from '#web/parts/Tone.tsx'
import { RecordLink } from '#web/record/RecordLink.tsx'

const columnsOf = (isPlan: boolean): Column<ImportRow>[] => [
  {
    id: 'company',
    header: 'Company',
    cell: (row) =>
      row.lead_id ? (
        <RecordLink type="lead" id={row.lead_id} name={row.company}>
          {row.company || '—'}
        </RecordLink>
      ) : (
        row.company || '—'
      ),
    title: (row) => row.company,
    width: isPlan ? 200 : 260,
    always: true,
  },
  { id: 'line', header: 'Line', cell: (row) => row.line, width: 80, align: 'right' },
  {
    id: 'outcome',
    header: isPlan ? 'Planned outcome' : 'Outcome',
    cell: (row) => (
      <Tone tone={outcomes[row.outcome].tone}>
        {isPlan ? outcomes[row.outcome].planned : outcomes[row.outcome].done}
      </Tone>
    ),
    width: 150,
  },
  {
    id: 'reason',
    header: 'Reason',
    cell: (row) => row.reason,
    title: (row) => row.reason,
    width: isPlan ? 280 : 420,
  },
]
const plannedColumns = columnsOf(true)
const doneColumns = columnsOf(false)

const textOf = (value: string) => value || '—'
/** A value as it will be stored; a change has the former one crossed out. */
const Value = ({ shown }: { shown: ShownValue | undefined }) =>
  shown?.before === undefined ? (
    shown?.value
  ) : (
    <>
      <del>{textOf(shown.before)}</del> <ins>{textOf(shown.value)}</ins>
    </>
  )

/** A column of the preview with the values that rows store in a field. */
const valueColumn = ({ name, label }: { name: string; label: string }): Column<ImportRow> => ({
  id: `value-${name}`,
  header: label,
  cell: ({ values }) => <Value shown={values[name]} />,
  title: ({ values }) => values[name]?.value,
  width: 170,
})

interface Props {
  id: number
  isPlan: boolean
  outcome: ImportOutcome | undefined
}

/** The rows of a file with what becomes of them; before the import, with the values that they store. */
export function ImportRows({ id, isPlan, outcome }: Props) {
  const [page, setPage] = useState(1)
  const query = useQuery({
    ...queryOptionsFor(leadImports.rows, {
      params: { id },
      query: { page, ...(outcome ? { outcome } : {}) },
    }),
    staleTime: 0,
    placeholderData: keepPreviousData,
  })
  const fields = query.data?.fields ?? []
  const shown = isPlan ? [...plannedColumns, ...fields.map(valueColumn)] : doneColumns
  const columns = useTableColumns('lead-import', shown)
  if (query.error && !query.data)
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  return (
    <>
      <DataTable<ImportRow>
        label="Rows"
        columns={columns}
        rows={query.data?.data}
        rowKey={(row) => row.line}
        rowName={(row) => `line ${row.line}`}
        stale={query.isPlaceholderData}
        empty={<EmptyState title="No rows with this outcome" />}
      />
      <Pager total={query.data?.total} perPage={query.data?.per_page} page={page} onPage={setPage} />
    </>
  )
}
