import type { ReactNode } from 'react'
import type { z } from 'zod'
import type { Filter } from '#web/filter/filters.tsx'
import { Filters } from '#web/list/Filters.tsx'
import { ListHead } from '#web/list/ListHead.tsx'
import { ListTable, type Empty } from '#web/list/ListTable.tsx'
import { Selected } from '#web/list/Selected.tsx'
import type { List, ListFilters } from '#web/list/useList.ts'

interface Props<Row, S extends z.ZodType<ListFilters>> {
  list: List<Row, S>
  /** The page's primary action, such as a New button. */
  actions?: ReactNode
  /** Shown between the heading and the filters, such as tabs. */
  above?: ReactNode
  filters?: readonly Filter<z.output<S>>[]
  /** Actions for the selected rows, besides moving them to the trash. */
  bulk?: ReactNode
  /** Shown between the filters and the table, such as sums. */
  children?: ReactNode
  /** Shown at the right end of a row, on hover and focus. */
  rowActions?: (row: Row) => ReactNode
  /** Shown if the list is empty even without filters. */
  empty: Empty
}

/** The usual list page; pages that need anything else compose the same parts themselves. */
export function ListPage<Row, S extends z.ZodType<ListFilters>>({
  list,
  actions,
  above,
  filters = [],
  bulk,
  children,
  rowActions,
  empty,
}: Props<Row, S>) {
  return (
    <>
      <ListHead list={list}>{actions}</ListHead>
      {list.may && above}
      <Filters list={list} filters={filters}>
        <Selected list={list} canSelectAll={bulk !== undefined}>
          {bulk}
        </Selected>
      </Filters>
      {list.may && children}
      <ListTable list={list} filters={filters} rowActions={rowActions} empty={empty} />
    </>
  )
}
