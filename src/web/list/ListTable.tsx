import { isValidElement, useEffect, type ReactElement, type ReactNode } from 'react'
import { useMatch, useMatches, useNavigate } from '@tanstack/react-router'
import type { z } from 'zod'
import { recordTypes } from '#shared/records.ts'
import { toQueryString } from '#web/api/query-string.ts'
import { chipsOf, clearedBy } from '#web/filter/FilterChips.tsx'
import type { Filter } from '#web/filter/filters.tsx'
import { DataTable } from '#web/list/table/DataTable.tsx'
import { toAddress } from '#web/list/address/fromAddress.ts'
import { ListPositionContext, offerList, positionsInPage } from '#web/list/position/listPosition.ts'
import { useResumeAt } from '#web/list/position/useResumeAt.ts'
import classes from '#web/list/list.module.css'
import { Pager } from '#web/list/Pager.tsx'
import { EmptyState, ErrorState, NoMatches, PastTheEnd } from '#web/list/states.tsx'
import type { List, ListFilters } from '#web/list/useList.ts'
import { LastAct } from '#web/record/LastAct.tsx'

/** The content of an empty list: why it is empty, and what to do about it. */
export interface Empty {
  title: string
  text?: ReactNode
  action?: ReactNode
}

interface Props<Row, S extends z.ZodType<ListFilters>> {
  list: List<Row, S>
  /** Accessible name of the table; defaults to the route's name. */
  label?: string | undefined
  /** The list's filters, which an empty list offers to clear. */
  filters?: readonly Filter<z.output<S>>[]
  /** Shown if the list is empty even without filters; an element is shown whenever there are no rows. */
  empty: Empty | ReactElement
  /** Shown below the rows, such as their sums. */
  summary?: ReactNode
  /** Shown at the right end of a row, on hover and focus. */
  rowActions?: ((row: Row) => ReactNode) | undefined
  /** Opens a row on top of the list instead of on a page. */
  onOpen?: ((row: Row) => void) | undefined
}

/** A list's rows, as a table or as cards, with the pager and the last action below them, which U undoes. */
export function ListTable<Row, S extends z.ZodType<ListFilters>>(props: Props<Row, S>) {
  const { list } = props
  if (!list.may) return null
  return (
    <>
      {list.error && !list.rows ? <FailedList list={list} /> : <Rows {...props} />}
      {props.summary}
      <ListFoot list={list} undoKey />
    </>
  )
}

interface FootProps<Row, S extends z.ZodType<ListFilters>> {
  list: List<Row, S>
  /** Whether U undoes the last action. */
  undoKey: boolean
}

/** The last action, and the pager. */
export const ListFoot = <Row, S extends z.ZodType<ListFilters>>({ list, undoKey }: FootProps<Row, S>) => (
  <div className={classes.foot}>
    <LastAct undoKey={undoKey} />
    <Pager
      total={list.total}
      isCapped={list.isCapped}
      perPage={list.perPage}
      page={list.filters.page}
      onPage={(page) => list.filterBy({ page } as Partial<z.output<S>>)}
    />
  </div>
)

/** A list that couldn't be loaded, by the name of its page. */
export function FailedList<Row, S extends z.ZodType<ListFilters>>({ list }: { list: List<Row, S> }) {
  const pageName = useMatches({ select: (matches) => matches.at(-1)?.staticData.name })
  return <ErrorState error={list.error} what={pageName} onRetry={list.retry} />
}

function Rows<Row, S extends z.ZodType<ListFilters>>(props: Props<Row, S>) {
  const { list, label, rowActions, onOpen } = props
  const { rowKey, rowName, addressOf, card, name } = list.definition
  const { column, direction } = list.filters
  const navigate = useNavigate()
  const pageName = useMatches({ select: (matches) => matches.at(-1)?.staticData.name })
  const resumeAt = useResumeAt(list.rows, rowKey, addressOf)
  const stateOf = usePositions(list)
  const open =
    onOpen ??
    (addressOf && ((row: Row) => void navigate({ to: addressOf(row), state: stateOf(addressOf(row)) })))
  return (
    <ListPositionContext value={stateOf}>
      <DataTable<Row>
        label={label ?? pageName ?? name}
        columns={list.columns}
        rows={list.rows}
        rowKey={rowKey}
        rowName={rowName}
        {...(column && direction ? { sort: { column, direction } } : {})}
        onSort={(sort) => list.filterBy(sort as Partial<z.output<S>>)}
        {...(open ? { onOpen: open } : {})}
        {...(list.isSelectable ? { selection: list.selection } : {})}
        {...(card ? { card } : {})}
        {...(rowActions ? { rowActions } : {})}
        stale={list.stale}
        resumeAt={resumeAt}
        empty={<NoRows {...props} />}
      />
    </ListPositionContext>
  )
}

/** Shown instead of rows: the list is empty, its filters match nothing, or the page is past the end. */
export function NoRows<Row, S extends z.ZodType<ListFilters>>({ list, filters = [], empty }: Props<Row, S>) {
  const toFirstPage = () => void list.filterBy({ page: 1 } as Partial<z.output<S>>)
  if (list.total) return <PastTheEnd onFirstPage={toFirstPage} />
  if (isValidElement(empty)) return empty
  const active = chipsOf(filters, list.filters, () => {}, list.definition.splitSearch).map(({ text }) => text)
  if (active.length === 0)
    return (
      <EmptyState title={empty.title} action={empty.action}>
        {empty.text}
      </EmptyState>
    )
  const clear = () => void list.filterBy(clearedBy(filters, list.filters))
  return <NoMatches filters={active} onClear={clear} />
}

/** Returns the function that builds the history state for the rows' pages, which step through the list. */
export function usePositions<Row, S extends z.ZodType<ListFilters>>(list: List<Row, S>) {
  // The page's own path: while the user is leaving the page, the browser's URL is already a different one.
  const path = useMatch({ strict: false, select: ({ pathname }) => pathname })
  const { definition, filters, rows, walked, perPage, total, isCapped, scope } = list
  useEffect(() => offerList(walked))
  const { type, addressOf, rowKey, scopedBy } = definition
  if (!addressOf || !rows || !perPage || total === undefined) return noPositions
  const { page: _page, open: _open, ...narrowed } = toAddress(definition.filters, filters)
  const search = toQueryString(narrowed)
  return positionsInPage(
    {
      key: walked.key,
      address: search ? `${path}?${search}` : path,
      one: type ? recordTypes[type].one : 'record',
      perPage,
      total,
      isCapped,
      product: scopedBy ? scope : undefined,
    },
    rows.map((row) => ({ id: rowKey(row), to: addressOf(row) })),
    filters.page,
  )
}

const noPositions = () => ({})
