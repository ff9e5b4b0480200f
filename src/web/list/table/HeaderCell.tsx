import type { KeyboardEvent, PointerEvent } from 'react'
import IconArrowDown from '@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs'
import IconArrowUp from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs'
import type { Column, TableColumns } from '#web/list/columns.ts'
import classes from '#web/list/table/DataTable.module.css'

export interface Sort {
  column: string
  direction: 'asc' | 'desc'
}

interface Props<Row> {
  column: Column<Row>
  columns: TableColumns<Row>
  sort: Sort | undefined
  onSort: ((sort: Sort) => void) | undefined
  pinnedAt: number | undefined
}

/**
 * Column header: a button for sorting, if the column can be sorted, and a handle on its right edge for
 * changing the width.
 */
export function HeaderCell<Row>({ column, columns, sort, onSort, pinnedAt }: Props<Row>) {
  const { sortBy } = column
  const direction = sort && sortBy === sort.column ? sort.direction : undefined
  const sorts = sortBy !== undefined && onSort !== undefined
  return (
    <th
      scope="col"
      className={classes.headerCell}
      data-align={column.align}
      data-custom={column.isCustom}
      data-pinned={pinnedAt === undefined ? undefined : true}
      style={pinnedAt === undefined ? undefined : { left: pinnedAt }}
      {...(sorts
        ? { 'aria-sort': direction === undefined ? 'none' : direction === 'asc' ? 'ascending' : 'descending' }
        : {})}
    >
      {sorts ? (
        <button
          type="button"
          className={classes.sort}
          data-active={direction !== undefined || undefined}
          onClick={() => onSort({ column: sortBy, direction: direction === 'asc' ? 'desc' : 'asc' })}
        >
          <span className={classes.headerText}>{column.header}</span>
          {direction === 'asc' ? (
            <IconArrowUp size={13} aria-hidden />
          ) : direction === 'desc' ? (
            <IconArrowDown size={13} aria-hidden />
          ) : (
            <IconArrowUp size={13} aria-hidden className={classes.sortHint} />
          )}
        </button>
      ) : (
        <span className={classes.headerText}>{column.header}</span>
      )}
      <WidthHandle column={column} columns={columns} />
    </th>
  )
}

const step = 16

function WidthHandle<Row>({ column, columns }: { column: Column<Row>; columns: TableColumns<Row> }) {
  const width = columns.widthOf(column)

  function drag(event: PointerEvent<HTMLElement>): void {
    const handle = event.currentTarget
    const from = event.clientX - width
    handle.setPointerCapture(event.pointerId)
    const move = (moved: globalThis.PointerEvent) => columns.resize(column, moved.clientX - from)
    handle.addEventListener('pointermove', move)
    handle.addEventListener('lostpointercapture', () => handle.removeEventListener('pointermove', move), {
      once: true,
    })
  }

  function byKey(event: KeyboardEvent): void {
    const change = event.key === 'ArrowRight' ? step : event.key === 'ArrowLeft' ? -step : 0
    if (change === 0) return
    event.preventDefault()
    columns.resize(column, width + change)
  }

  return (
    <span
      role="separator"
      aria-orientation="vertical"
      aria-label={`Width of ${column.header}`}
      aria-valuenow={width}
      aria-valuemin={60}
      aria-valuemax={1200}
      tabIndex={0}
      className={classes.widthHandle}
      onPointerDown={drag}
      onKeyDown={byKey}
    />
  )
}
