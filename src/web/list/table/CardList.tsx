import type { ReactNode, RefObject } from 'react'
import type { Column } from '#web/list/columns.ts'
import classes from '#web/list/table/DataTable.module.css'
import type { Sort } from '#web/list/table/HeaderCell.tsx'
import { SelectAllBox, type Selection } from '#web/list/table/selection.tsx'
import { SortBy } from '#web/list/table/SortBy.tsx'
import { LoadingState } from '#web/list/states.tsx'

interface Props<Row> {
  label: string
  rows: readonly Row[] | undefined
  rowKey: (row: Row) => number
  rowName: (row: Row) => string
  card: (row: Row) => ReactNode
  columns: readonly Column<Row>[]
  sort: Sort | undefined
  onSort: ((sort: Sort) => void) | undefined
  selection: Selection | undefined
  busy: boolean
  region: RefObject<HTMLDivElement | null>
}

/** Rows as cards, below the controls that a table has in its header: select all and sort order. */
export function CardList<Row>({
  label,
  rows,
  rowKey,
  rowName,
  card,
  columns,
  sort,
  onSort,
  selection,
  busy,
  region,
}: Props<Row>) {
  return (
    <>
      {(selection || (sort && onSort)) && (
        <div className={classes.cardsHead}>
          {selection && (
            <label className={classes.tick}>
              <SelectAllBox label={label} ids={rows?.map(rowKey) ?? []} selection={selection} />
              Select all
            </label>
          )}
          {sort && onSort && <SortBy columns={columns} sort={sort} onSort={onSort} />}
        </div>
      )}
      <div
        ref={region}
        className={classes.cards}
        role={rows ? 'list' : 'group'}
        aria-label={label}
        aria-busy={busy}
      >
        {rows?.map((row) => {
          const id = rowKey(row)
          const isSelected = selection?.has(id)
          return (
            <div
              key={id}
              role="listitem"
              className={classes.card}
              data-row={id}
              data-selected={isSelected || undefined}
              tabIndex={-1}
            >
              {selection && (
                <label className={classes.tick}>
                  <input
                    type="checkbox"
                    aria-label={`Select ${rowName(row)}`}
                    checked={isSelected}
                    onChange={(event) => selection.set([id], event.currentTarget.checked)}
                  />
                </label>
              )}
              {card(row)}
            </div>
          )
        }) ?? <LoadingState rows={8} />}
      </div>
    </>
  )
}
