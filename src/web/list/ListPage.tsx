import { Suspense, useEffect, useState, type ReactNode } from 'react'
import { Button } from '@mantine/core'
import IconAdjustmentsHorizontal from '@tabler/icons-react/dist/esm/icons/IconAdjustmentsHorizontal.mjs'
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import { useMatch, useMatches, useNavigate } from '@tanstack/react-router'
import type { z } from 'zod'
import { ColumnPicker } from '#web/list/ColumnPicker.tsx'
import { DataTable } from '#web/list/DataTable.tsx'
import type { Filter } from '#web/filter/filters.tsx'
import { toAddress } from '#web/list/fromAddress.ts'
import { Pager } from '#web/list/Pager.tsx'
import { SearchBox } from '#web/filter/SearchBox.tsx'
import { EmptyState, ErrorState, PastTheEnd } from '#web/list/states.tsx'
import { rememberList } from '#web/list/lastList.ts'
import type { List, ListFilters } from '#web/list/useList.ts'
import { chipsOf, clearedBy, FilterChips } from '#web/filter/FilterBar.tsx'
import type { RowActs } from '#web/keys/useRowKeys.ts'
import classes from '#web/list/list.module.css'
import { LastAct } from '#web/record/LastAct.tsx'
import { useRemove } from '#web/record/useRemove.ts'
import { useFocusOnTable } from '#web/keys/useFocusOnTable.ts'
import { ViewsMenu } from '#web/filter/ViewsMenu.tsx'
import { TextButton } from '#web/parts/controls.tsx'
import { Menu, MenuItem } from '#web/parts/Menu.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'
import { useMenuButton } from '#web/parts/useMenuButton.ts'
import { PageHeader } from '#web/parts/PageHeader.tsx'
import { countText } from '#web/time.ts'
import { toQueryString } from '#web/api/query-string.ts'
import { useDownload } from '#web/api/useDownload.ts'
import { useMay } from '#web/api/useSend.ts'
import type { EndpointShape } from '#shared/endpoint.ts'
import { recordTypes, type RecordType } from '#shared/records.ts'

const TrashDialog = lazyPart(() => import('#web/record/TrashDialog.tsx'))

/** An item in a list's "More" menu. */
export interface MoreItem {
  label: string
  onClick: () => void
}

interface Props<Row, S extends z.ZodType<ListFilters>> {
  list: List<Row, S>
  /** Name of the page; defaults to the route's name. */
  title?: string
  /** Parent pages in the breadcrumb above the list. */
  parents?: readonly (readonly [to: string, name: string])[]
  /** The page's primary action, such as a New button. */
  actions?: ReactNode
  /** Label of the search box; if omitted, there is no search. */
  searchLabel?: string
  filters?: readonly Filter<z.output<S>>[]
  /** Shown between the toolbar and the table, such as tabs. */
  children?: ReactNode
  /** Actions on the selected rows; moving them to the trash is added if the list has a record type. */
  bulk?: (ids: readonly number[], done: () => void) => ReactNode
  /** Shown at the right end of a row, on hover and focus. */
  rowActions?: (row: Row) => ReactNode
  rowActs?: RowActs<Row>
  card?: (row: Row) => ReactNode
  /** URL of a row's page, which Enter opens. */
  rowAddress?: (row: Row) => string
  /** Replaces the default handling of Enter, for rows that open on top of the list. */
  onOpen?: (row: Row) => void
  more?: readonly MoreItem[]
  /** Endpoint that exports the list as CSV, with the same filters. */
  exportCsv?: EndpointShape
  /** Additional query parameters for the CSV. */
  exportQuery?: Record<string, unknown>
  /** Endpoints to refetch after an action, in addition to the list's own. */
  refresh?: readonly { path: string }[]
  /** Shown if the list is empty even without filters. */
  empty: { title: string; text?: string; action?: ReactNode }
  /** Called before selected rows are moved to the trash; false cancels the action. */
  beforeRemove?: (ids: readonly number[]) => Promise<boolean>
  /** Whether selecting rows is disabled. */
  unselectable?: boolean
}

/** A list page: toolbar, table or cards, pager, and actions on the selected rows. */
export function ListPage<Row, S extends z.ZodType<ListFilters>>(props: Props<Row, S>) {
  const { list, title, parents, actions, filters = [], children, rowAddress, empty } = props
  const navigate = useNavigate()
  const { rows, total } = list
  // The page's own path: while the user is leaving the page, the browser's URL is already a different one.
  const path = useMatch({ strict: false, select: ({ pathname }) => pathname })
  useEffect(() => {
    if (rowAddress) remember(list, path, rowAddress)
  })
  // Without permission, nothing is requested and nothing is shown (A §5).
  const pageName = useMatches({ select: (matches) => matches.at(-1)?.staticData.name })
  if (!list.may) return <PageHeader {...(title ? { title } : {})} {...(parents ? { parents } : {})} />
  const selected = list.selection.ids.length > 0 || list.selection.isAll
  const active = chipsOf(filters, list.filters, (change) => void list.filterBy(change))
  const refresh = [list.definition.endpoint, ...(props.refresh ?? [])]
  const isSelectable = !props.unselectable && (list.definition.type !== undefined || props.bulk !== undefined)
  return (
    <>
      <PageHeader {...(title ? { title } : {})} {...(parents ? { parents } : {})}>
        {actions}
      </PageHeader>
      <div className={classes.toolbarFrame} data-selected={selected || undefined}>
        <Toolbar {...props} refresh={refresh} />
        {selected && (
          <BulkBar list={list} refresh={refresh} bulk={props.bulk} beforeRemove={props.beforeRemove} />
        )}
      </div>
      {active.length > 0 && (
        <FilterChips
          active={active}
          onClearAll={() => void list.filterBy(clearedBy(filters, list.filters))}
        />
      )}
      {children}
      {list.error && !rows ? (
        <ErrorState error={list.error} onRetry={list.retry} />
      ) : (
        <DataTable<Row>
          label={title ?? pageName ?? list.definition.name}
          columns={list.columns}
          rows={rows}
          rowKey={list.definition.rowKey}
          rowName={list.definition.rowName}
          {...(list.filters.column && list.filters.direction
            ? { sort: { column: list.filters.column, direction: list.filters.direction } }
            : {})}
          onSort={({ column, direction }) => list.filterBy({ column, direction } as Partial<z.output<S>>)}
          {...(rowAddress ? { onOpen: (row: Row) => void navigate({ to: rowAddress(row) }) } : {})}
          {...(props.onOpen ? { onOpen: props.onOpen } : {})}
          {...(isSelectable ? { selection: list.selection } : {})}
          {...(props.card ? { card: props.card } : {})}
          {...(props.rowActions ? { rowActions: props.rowActions } : {})}
          {...(props.rowActs ? { rowActs: props.rowActs } : {})}
          stale={list.stale}
          empty={
            (total ?? 0) > 0 ? (
              <PastTheEnd onFirstPage={() => void list.filterBy({ page: 1 } as Partial<z.output<S>>)} />
            ) : active.length > 0 ? (
              <EmptyState
                title="No results match your filters"
                action={
                  <Button
                    variant="default"
                    onClick={() => void list.filterBy(clearedBy(filters, list.filters))}
                  >
                    Clear filters
                  </Button>
                }
              >
                Try removing a filter.
              </EmptyState>
            ) : (
              <EmptyState title={empty.title} action={empty.action}>
                {empty.text}
              </EmptyState>
            )
          }
        />
      )}
      <div className={classes.foot}>
        <LastAct refresh={refresh} />
        <Pager
          total={total}
          perPage={list.perPage}
          page={list.filters.page}
          onPage={(page) => list.filterBy({ page } as Partial<z.output<S>>)}
        />
      </div>
    </>
  )
}

/**
 * Remembers the list in its current state, so that users can step through its records after opening one of
 * them.
 */
function remember<Row, S extends z.ZodType<ListFilters>>(
  { definition, rows, askPage, perPage, filters }: List<Row, S>,
  path: string,
  addressOf: (row: Row) => string,
): void {
  if (!rows || perPage === undefined) return
  const { page: _, ...address } = toAddress(definition.filters, filters)
  const search = toQueryString(address)
  rememberList({
    one: definition.type ? recordTypes[definition.type].one : 'record',
    address: search ? `${path}?${search}` : path,
    page: filters.page,
    perPage,
    askPage,
    read: (reply) => ({ rows: definition.rows ? definition.rows(reply) : reply.data, total: reply.total }),
    addressOf,
    live: definition.live ?? definition.type,
    endpoint: definition.endpoint,
  })
}

function Toolbar<Row, S extends z.ZodType<ListFilters>>({
  list,
  searchLabel,
  filters = [],
  more = [],
  exportCsv,
  exportQuery,
  refresh = [],
}: Props<Row, S>) {
  const [open, setOpen] = useState(false)
  const { props: button, wanted, at } = useMenuButton()
  const [isTrashOpen, setTrashOpen] = useState(false)
  const { download } = useDownload()
  // The endpoint's type is known only to the page, so the call is cast. The endpoint takes the same filters
  // as the list.
  const downloadAs = download as (name: string, endpoint: EndpointShape, input: object) => Promise<void>
  const type = list.definition.type
  const { mayRemove } = useRemoveOf(type, refresh)
  const mayExport = useMay(exportCsv ?? list.definition.endpoint, { query: list.requestQuery })
  const behind = filters.filter((filter) => filter.more)
  const items: MoreItem[] = [
    ...more,
    ...(exportCsv && mayExport
      ? [
          {
            label: 'Export as CSV',
            onClick: () =>
              void downloadAs(`${list.definition.name}.csv`, exportCsv, {
                query: { ...list.requestQuery, page: undefined, ...exportQuery },
              }),
          },
        ]
      : []),
    ...(type && mayRemove && !('keeps' in recordTypes[type])
      ? [{ label: 'Trash', onClick: () => setTrashOpen(true) }]
      : []),
  ]
  const show = (filter: Filter<z.output<S>>) => (
    <span key={filter.id}>{filter.control(list.filters, (change) => void list.filterBy(change))}</span>
  )
  return (
    <section className={classes.toolbar} aria-label="Filters">
      {searchLabel && (
        <SearchBox
          label={searchLabel}
          value={list.filters.search ?? ''}
          onSearch={(search) => void list.filterBy({ search } as Partial<z.output<S>>, { replace: true })}
        />
      )}
      {filters.filter((filter) => !filter.more).map(show)}
      {behind.length > 0 && (
        <TextButton
          icon={<IconAdjustmentsHorizontal size={14} aria-hidden />}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          {open ? 'Fewer filters' : 'More filters'}
        </TextButton>
      )}
      <span className={classes.toolbarEnd}>
        <span className={classes.total} aria-live="polite">
          {list.total === undefined ? '' : `${countText(list.total)} ${list.total === 1 ? 'row' : 'rows'}`}
        </span>
        <ViewsMenu list={list} />
        <ColumnPicker columns={list.columns} />
        {items.length > 0 && (
          <>
            <TextButton icon={<IconDots size={14} aria-hidden />} {...button}>
              More
            </TextButton>
            {wanted && (
              <Menu {...at} label="More" end>
                {items.map(({ label, onClick }) => (
                  <MenuItem key={label} onClick={onClick}>
                    {label}
                  </MenuItem>
                ))}
              </Menu>
            )}
          </>
        )}
      </span>
      {open && <div className={classes.moreFilters}>{behind.map(show)}</div>}
      {isTrashOpen && type && (
        <Suspense>
          <TrashDialog type={type} refresh={refresh} onClose={() => setTrashOpen(false)} />
        </Suspense>
      )}
    </section>
  )
}

/** Calls `useRemove` even for a list without a record type, because hooks must not be conditional. */
const useRemoveOf = (
  type: RecordType | undefined,
  refresh: readonly { path: string }[],
  onDone?: () => void,
) => {
  const found = useRemove(type ?? 'lead', { refresh, ...(onDone ? { onDone } : {}) })
  return { ...found, mayRemove: found.mayRemove && type !== undefined && !('keeps' in recordTypes[type]) }
}

interface BulkProps<Row, S extends z.ZodType<ListFilters>> {
  list: List<Row, S>
  refresh: readonly { path: string }[]
  bulk: Props<Row, S>['bulk']
  beforeRemove: Props<Row, S>['beforeRemove']
}

/** Bulk action bar that covers the toolbar, so that no row moves when the first one is selected. */
function BulkBar<Row, S extends z.ZodType<ListFilters>>({
  list,
  refresh,
  bulk,
  beforeRemove,
}: BulkProps<Row, S>) {
  const { selection, definition } = list
  const { mayRemove, remove, removing } = useRemoveOf(definition.type, refresh, selection.clear)
  useFocusOnTable()

  async function removeThem(): Promise<void> {
    if (!beforeRemove || (await beforeRemove(selection.ids))) remove(selection.ids)
  }

  return (
    <div className={classes.bulk} role="group" aria-label="Selected rows">
      <span aria-live="polite">{countText(selection.ids.length)} selected</span>
      {bulk?.(selection.ids, selection.clear)}
      {mayRemove && list.mayRemoveSelected && (
        <Button
          size="compact-xs"
          variant="default"
          color="red"
          loading={removing}
          onClick={() => void removeThem()}
        >
          Move to trash
        </Button>
      )}
      <Button size="compact-xs" variant="subtle" color="gray" onClick={selection.clear}>
        Clear selection
      </Button>
    </div>
  )
}
