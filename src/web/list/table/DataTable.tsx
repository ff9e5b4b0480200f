import { useDeferredValue, useEffect, useRef, useState, type ReactNode } from 'react'
import { CardList } from '#web/list/table/CardList.tsx'
import type { Column, TableColumns } from '#web/list/columns.ts'
import classes from '#web/list/table/DataTable.module.css'
import { HeaderCell, type Sort } from '#web/list/table/HeaderCell.tsx'
import { useKeptScroll } from '#web/list/position/keptPlace.ts'
import { SelectCell, SelectAllCell, type Selection } from '#web/list/table/selection.tsx'
import { TableSkeleton } from '#web/list/table/TableSkeleton.tsx'
import { usePhone } from '#web/list/usePhone.ts'
import { useResumedRow } from '#web/keys/useResumedRow.ts'
import { useRowKeys, type RowActs } from '#web/keys/useRowKeys.ts'
import { useMovedRowClickGuard } from '#web/list/useMovedRowClickGuard.ts'
import { useOptimisticChoice } from '#web/list/useOptimisticChoice.ts'
import { VisuallyHidden } from '#web/parts/VisuallyHidden.tsx'

interface Props<Row> {
  /** Accessible name, such as `Leads`. */
  label: string
  columns: TableColumns<Row>
  /** Undefined while the rows load for the first time. */
  rows: readonly Row[] | undefined
  rowKey: (row: Row) => number
  rowName: (row: Row) => string
  sort?: Sort
  /** May return a promise that resolves when the sorted rows have been requested. */
  onSort?: (sort: Sort) => unknown
  selection?: Selection
  /**
   * Opens a row when Enter is pressed on the row reached with `j` and `k`. The first column should link to
   * the same place.
   */
  onOpen?: (row: Row) => void
  /** Keyboard shortcuts for this list, in addition to those that every list has. */
  rowActs?: RowActs<Row>
  /** Shown at the right end of a row, visible on hover and focus. */
  rowActions?: (row: Row) => ReactNode
  /** Renders a row as a card, used below 600 pixels. */
  card?: (row: Row) => ReactNode
  /** Shown if there are no rows. */
  empty?: ReactNode
  /** Whether the rows still belong to the previous filters while the new ones load. */
  stale?: boolean
  /** Row of the record that the user is returning from. */
  resumeAt?: number | undefined
}

const rowHeight = 35
/** Typical space above and beside a list in the window, in pixels. */
const pageChromePx = { above: 250, beside: 220 }
const rowsInSight = () => Math.ceil((window.innerHeight - pageChromePx.above) / rowHeight)

function columnsInSight<Row>({ shown, widthOf }: TableColumns<Row>): readonly Column<Row>[] {
  let left = 0
  return shown.filter(
    (column) => (left += widthOf(column)) - widthOf(column) < window.innerWidth - pageChromePx.beside,
  )
}

/**
 * Table of rows that the server has filtered, sorted, and paged. The header and the first column stay in
 * view; `j`, `k`, and the arrow keys move through the rows, `x` selects a row, and Enter opens it. Cells
 * contain text and plain buttons; a rich control is mounted only when its cell is clicked.
 */
export function DataTable<Row>(props: Props<Row>) {
  const { label, columns, rowKey, card, empty, selection } = props
  // Respond to the user's action before rendering the new rows, and render visible rows and columns before
  // the others.
  const rows = useDeferredValue(props.rows, props.rows?.slice(0, rowsInSight()))
  const shown = useDeferredValue(columns.shown, columnsInSight(columns))
  const stale = props.stale || rows !== props.rows
  const isLate = useDelayedFlag(stale)
  const [sort, sortBy] = useOptimisticChoice(props.sort, (chosen) => chosen && props.onSort?.(chosen))
  const region = useRef<HTMLDivElement>(null)
  const isPhone = usePhone()
  const shield = useMovedRowClickGuard(rows?.map(rowKey))
  useKeptScroll(region, rows !== undefined && !stale)
  useResumedRow(region, rows !== undefined, props.resumeAt)
  useRowKeys(region, rows, { rowKey, onOpen: props.onOpen, selection, acts: props.rowActs })

  if (rows?.length === 0) return <div className={classes.emptyFrame}>{empty}</div>
  if (isPhone && card) {
    return (
      <CardList
        label={label}
        rows={rows}
        rowKey={rowKey}
        rowName={props.rowName}
        card={card}
        columns={columns.all}
        sort={sort}
        onSort={props.onSort && sortBy}
        selection={selection}
        busy={!rows || stale}
        region={region}
      />
    )
  }

  const selectable = selection !== undefined
  const width = columns.shown.reduce(
    (sum, column) => sum + columns.widthOf(column),
    selectable ? selectWidth : 0,
  )
  return (
    // The region scrolls in both directions, so it must be focusable even if nothing in it is.
    <div ref={region} className={classes.region} role="region" aria-label={label} tabIndex={0} data-fill>
      <table
        className={classes.table}
        style={{ width, minWidth: '100%' }}
        aria-busy={!rows || stale}
        data-stale={isLate || undefined}
        data-compact={columns.isCompact || undefined}
      >
        <TableHead
          {...props}
          shown={shown}
          ids={rows?.map(rowKey) ?? []}
          sort={sort}
          onSort={props.onSort && sortBy}
        />
        <tbody {...shield}>
          {rows?.map((row) => (
            <TableRow
              key={rowKey(row)}
              row={row}
              id={rowKey(row)}
              name={props.rowName(row)}
              shown={shown}
              selection={selection}
              actions={props.rowActions}
            />
          )) ?? <TableSkeleton columns={columns.shown.length + (selectable ? 1 : 0)} />}
        </tbody>
      </table>
    </div>
  )
}

interface HeadProps<Row> extends Pick<Props<Row>, 'label' | 'columns' | 'selection' | 'rowActions'> {
  shown: readonly Column<Row>[]
  ids: readonly number[]
  sort: Sort | undefined
  onSort: ((sort: Sort) => void) | undefined
}

/** The widths of the columns, and their headers. */
function TableHead<Row>({ label, columns, selection, rowActions, shown, ids, sort, onSort }: HeadProps<Row>) {
  return (
    <>
      <colgroup>
        {selection && <col style={{ width: selectWidth }} />}
        {columns.shown.map((column) => (
          <col key={column.id} style={{ width: columns.widthOf(column) }} />
        ))}
        {rowActions && <col style={{ width: 1 }} />}
      </colgroup>
      <thead>
        <tr>
          {selection && <SelectAllCell label={label} ids={ids} selection={selection} />}
          {shown.map((column, position) => (
            <HeaderCell
              key={column.id}
              column={column}
              columns={columns}
              sort={sort}
              onSort={onSort}
              pinnedAt={pinnedAt(position, selection !== undefined)}
            />
          ))}
          {rowActions && (
            <th scope="col" className={classes.actionsHead}>
              <VisuallyHidden>Actions</VisuallyHidden>
            </th>
          )}
        </tr>
      </thead>
    </>
  )
}

const noticedMs = 200

/**
 * Returns whether a condition has lasted for a while. If rows arrive immediately, dimming the table first
 * would paint all of it twice.
 */
function useDelayedFlag(isSo: boolean): boolean {
  const [lasts, setLasts] = useState(false)
  if (lasts && !isSo) setLasts(false)
  useEffect(() => {
    if (!isSo) return
    const timer = setTimeout(() => setLasts(true), noticedMs)
    return () => clearTimeout(timer)
  }, [isSo])
  return lasts
}

const selectWidth = 36
const pinnedAt = (position: number, selectable: boolean) =>
  position === 0 ? (selectable ? selectWidth : 0) : undefined

interface RowProps<Row> {
  row: Row
  id: number
  name: string
  shown: readonly Column<Row>[]
  selection: Selection | undefined
  actions: ((row: Row) => ReactNode) | undefined
}

function TableRow<Row>({ row, id, name, shown, selection, actions }: RowProps<Row>) {
  const isSelected = selection?.has(id) ?? false
  return (
    <tr className={classes.row} data-row={id} data-selected={isSelected || undefined} tabIndex={-1}>
      {selection && <SelectCell id={id} name={name} selection={selection} />}
      {shown.map((column, position) => {
        const left = pinnedAt(position, selection !== undefined)
        const content = <>{column.cell(row)}</>
        const shared = {
          className: classes.cell,
          'data-align': column.align,
          title: column.title?.(row) ?? undefined,
        }
        // The first column names the row.
        return position === 0 ? (
          <th key={column.id} scope="row" {...shared} data-pinned style={{ left }}>
            {content}
          </th>
        ) : (
          <td key={column.id} {...shared}>
            {content}
          </td>
        )
      })}
      {actions && (
        <td className={classes.actionsCell}>
          <span className={classes.rowActions}>{actions(row)}</span>
        </td>
      )}
    </tr>
  )
}
