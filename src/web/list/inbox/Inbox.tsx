import {
  Suspense,
  type ComponentType,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  type RefObject,
} from 'react'
import { useMatches } from '@tanstack/react-router'
import IconArrowLeft from '@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs'
import type { z } from 'zod'
import type { Filter } from '#web/filter/filters.tsx'
import { InboxRow, type InboxLines } from '#web/list/inbox/InboxRow.tsx'
import classes from '#web/list/inbox/inbox.module.css'
import { Middle, PaneSkeleton } from '#web/list/inbox/places.tsx'
import { Splitter, useListShare } from '#web/list/inbox/Splitter.tsx'
import { hasRoomForPane, useInbox } from '#web/list/inbox/useInbox.ts'
import { FailedList, ListFoot, NoRows, type Empty } from '#web/list/ListTable.tsx'
import { ListPositionContext } from '#web/list/position/listPosition.ts'
import { EmptyState } from '#web/list/states.tsx'
import type { List, ListFilters } from '#web/list/useList.ts'
import { useMovedRowClickGuard } from '#web/list/useMovedRowClickGuard.ts'
import { TextButton } from '#web/parts/controls.tsx'
import { BesideListContext } from '#web/record/besideList.ts'

/** The record that is open beside its list. */
export interface OpenRecord<Row> {
  id: number
  /** Undefined if the record is not on this page of the list. */
  row: Row | undefined
  /** Notes the record's current values, which its row shows if the record is no longer in the list. */
  note: (row: Row) => void
}

interface Props<Row, S extends z.ZodType<ListFilters>> {
  list: List<Row, S>
  filters?: readonly Filter<z.output<S>>[]
  /** Shown if the list is empty even without filters. */
  empty: Empty | ReactElement
  /** Returns the texts of a row. */
  lines: (row: Row) => InboxLines
  /** The open record; its code should load late. */
  Pane: ComponentType<OpenRecord<Row>>
  /** Loads a record, so that the step to it takes no time. */
  prefetch?: ((row: Row) => void) | undefined
  /** Keys of the list's own for the focused row. */
  acts?: Record<string, (row: Row) => void> | undefined
  /** Title of the pane while no record is open, such as `No ticket open`, or what it shows instead. */
  nothingOpen: string | ReactElement
  /** Shown below the list. */
  foot?: ReactNode
  /** Whether the page itself handles the undo key. */
  ownsUndoKey?: boolean
}

/**
 * A list with the open record beside it. Answers don't change the order in which the user walks through the
 * list. The URL names the open record; on a narrow screen, rows are links to the records' pages.
 */
export function Inbox<Row, S extends z.ZodType<ListFilters>>(props: Props<Row, S>) {
  const { list, Pane, prefetch, acts, nothingOpen, foot, ownsUndoKey = false } = props
  const { open } = list.filters
  const { region, ...inbox } = useInbox(list, prefetch, acts)
  const [share, setShare] = useListShare(list.definition.name)
  const row = inbox.rows?.find((one) => list.definition.rowKey(one) === open)
  const isEmpty = list.rows ? inbox.rows?.length === 0 : Boolean(list.error)
  const back = ({ key, target }: KeyboardEvent) => {
    if (key !== 'Escape' || !(target instanceof Element)) return
    if (!target.closest('[role=menu], [role=listbox], [role=dialog]')) inbox.focusRow(open)
  }
  return (
    <ListPositionContext value={inbox.stateOf}>
      <div
        className={classes.inbox}
        data-open={open !== undefined || undefined}
        data-empty={(isEmpty && open === undefined) || undefined}
        style={{ '--list': `${share}fr`, '--pane': `${100 - share}fr` }}
      >
        <div className={classes.list}>
          <Rows {...props} region={region} rows={inbox.rows} open={inbox.open} />
          <div className={classes.foot}>
            {foot}
            <ListFoot list={list} undoKey={!ownsUndoKey} />
          </div>
        </div>
        <section className={classes.reading} aria-label="Reading pane" data-pane onKeyDown={back}>
          <Splitter share={share} onMove={setShare} />
          {open === undefined ? (
            <NothingOpen>{nothingOpen}</NothingOpen>
          ) : (
            <>
              <div className={classes.back}>
                <TextButton icon={<IconArrowLeft size={14} aria-hidden />} onClick={inbox.close}>
                  Back to list
                </TextButton>
              </div>
              <BesideListContext value>
                <Suspense fallback={<PaneSkeleton />}>
                  {inbox.rows || list.error ? (
                    <Pane key={open} id={open} row={row} note={inbox.note} />
                  ) : (
                    <PaneSkeleton />
                  )}
                </Suspense>
              </BesideListContext>
            </>
          )}
        </section>
      </div>
    </ListPositionContext>
  )
}

const NothingOpen = ({ children }: { children: string | ReactElement }) =>
  typeof children === 'string' ? (
    <Middle>
      <EmptyState title={children}>Choose one from the list, or press j and Enter.</EmptyState>
    </Middle>
  ) : (
    <Suspense fallback={<PaneSkeleton />}>{children}</Suspense>
  )

interface RowsProps<Row, S extends z.ZodType<ListFilters>> extends Props<Row, S> {
  region: RefObject<HTMLUListElement | null>
  rows: readonly Row[] | undefined
  open: (row: Row) => void
}

function Rows<Row, S extends z.ZodType<ListFilters>>({ region, rows, open, ...props }: RowsProps<Row, S>) {
  const { list, lines } = props
  const { rowKey, addressOf, name } = list.definition
  const pageName = useMatches({ select: (matches) => matches.at(-1)?.staticData.name })
  const shield = useMovedRowClickGuard(rows?.map(rowKey))
  if (list.error && !list.rows)
    return (
      <Middle>
        <FailedList list={list} />
      </Middle>
    )
  if (rows?.length === 0)
    return (
      <Middle>
        <NoRows {...props} />
      </Middle>
    )
  return (
    <ul
      {...shield}
      ref={region}
      className={classes.rows}
      aria-label={pageName ?? name}
      aria-busy={!rows || list.stale}
      data-stale={list.stale || undefined}
    >
      {rows?.map((row) => (
        <InboxRow
          key={rowKey(row)}
          id={rowKey(row)}
          to={addressOf?.(row) ?? ''}
          lines={lines(row)}
          isOpen={rowKey(row) === list.filters.open}
          selection={list.isSelectable ? list.selection : undefined}
          onOpen={() => {
            if (!hasRoomForPane()) return false
            open(row)
            return true
          }}
        />
      )) ?? <RowsSkeleton />}
    </ul>
  )
}

const skeletons = Array.from({ length: 12 }, (_, index) => index)

/** Placeholders for rows that load for the first time. */
const RowsSkeleton = () =>
  skeletons.map((row) => (
    <li key={row} className={classes.row} aria-hidden>
      <div className={classes.lines}>
        <span className={classes.skeleton} style={{ width: `${35 + ((row * 37) % 40)}%` }} />
        <span className={classes.skeleton} style={{ width: `${55 + ((row * 23) % 35)}%` }} />
      </div>
    </li>
  ))
