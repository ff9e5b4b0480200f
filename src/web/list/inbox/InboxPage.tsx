import type { ComponentProps, ReactNode } from 'react'
import type { z } from 'zod'
import { Filters } from '#web/list/Filters.tsx'
import { Inbox } from '#web/list/inbox/Inbox.tsx'
import classes from '#web/list/inbox/inbox.module.css'
import { ListHead } from '#web/list/ListHead.tsx'
import { Selected } from '#web/list/Selected.tsx'
import { SortBy } from '#web/list/table/SortBy.tsx'
import type { ListFilters } from '#web/list/useList.ts'

interface Props<Row, S extends z.ZodType<ListFilters>> extends ComponentProps<typeof Inbox<Row, S>> {
  /** Parent pages in the breadcrumb. */
  parents?: ComponentProps<typeof ListHead>['parents']
  /** The layout switch, and the page's primary action. */
  actions?: ReactNode
  /** Shown between the heading and the filters, such as tabs. */
  above?: ReactNode
  /** Actions for the selected rows, besides moving them to the trash. */
  bulk?: ReactNode
  /** Whether `bulk` can change all matching rows, including those on other pages. */
  canSelectAll?: boolean
}

/** List page whose records are read and answered beside the list; `ListPage` is the same list as a table. */
export function InboxPage<Row, S extends z.ZodType<ListFilters>>({
  parents,
  actions,
  above,
  bulk,
  canSelectAll = bulk !== undefined,
  ...inbox
}: Props<Row, S>) {
  const { list, filters = [] } = inbox
  const { column, direction } = list.filters
  return (
    <div className={classes.sheet} data-sheet>
      <div className={classes.head}>
        <ListHead list={list} parents={parents}>
          {actions}
        </ListHead>
      </div>
      {list.may && (
        <>
          {above && <div className={classes.above}>{above}</div>}
          <div className={classes.bar}>
            <Filters
              list={list}
              filters={filters}
              tools={
                column &&
                direction && (
                  <SortBy
                    isBare
                    columns={list.columns.all}
                    sort={{ column, direction }}
                    onSort={(sort) => void list.filterBy(sort as Partial<z.output<S>>)}
                  />
                )
              }
            >
              <Selected list={list} canSelectAll={canSelectAll}>
                {bulk}
              </Selected>
            </Filters>
          </div>
          <Inbox {...inbox} />
        </>
      )}
    </div>
  )
}
