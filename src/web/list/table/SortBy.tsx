import IconArrowDown from '@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs'
import IconArrowUp from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs'
import type { Column } from '#web/list/columns.ts'
import classes from '#web/list/table/DataTable.module.css'
import type { Sort } from '#web/list/table/HeaderCell.tsx'
import { IconButton, Select } from '#web/parts/controls.tsx'

/** Control for the sort order of rows that have no column headers. */
export function SortBy<Row>({
  columns,
  sort,
  onSort,
  isBare,
}: {
  columns: readonly Column<Row>[]
  sort: Sort
  onSort: (sort: Sort) => void
  /** Whether the control has no visible label, such as in a toolbar. */
  isBare?: boolean
}) {
  const isDescending = sort.direction === 'desc'
  const options = columns.flatMap(({ sortBy, header }) =>
    sortBy === undefined ? [] : [[sortBy, header] as const],
  )
  return (
    <span className={classes.sortBy}>
      {!isBare && <span aria-hidden>Sort by</span>}
      <Select
        label="Sort by"
        value={sort.column}
        options={options}
        onChoose={(column) => onSort({ column, direction: 'asc' })}
      />
      <IconButton
        label="Descending"
        aria-pressed={isDescending}
        onClick={() => onSort({ ...sort, direction: isDescending ? 'asc' : 'desc' })}
      >
        {isDescending ? <IconArrowDown size={16} aria-hidden /> : <IconArrowUp size={16} aria-hidden />}
      </IconButton>
    </span>
  )
}
