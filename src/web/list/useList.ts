import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import type { ReactNode } from 'react'
import type { EndpointShape } from '#shared/endpoint.ts'
import { records } from '#shared/record.contract.ts'
import { hasTrash, type RecordType } from '#shared/records.ts'
import type { ListName } from '#shared/list-access.ts'
import { queryOptionsFor, isAllowed, type ReadEndpoint } from '#web/api/client.ts'
import { prefetch } from '#web/api/queries.ts'
import type { SplitSearch } from '#web/filter/FilterChips.tsx'
import { useTableColumns, type Column, type TableColumns } from '#web/list/columns.ts'
import { toAddress } from '#web/list/address/fromAddress.ts'
import { keyOfList, offerList, type WalkedList } from '#web/list/position/listPosition.ts'
import { mayRemoveAny } from '#web/list/removable.ts'
import { filtersOf, useStoredFilters } from '#web/list/address/storedFilters.ts'
import { useSelection, type Selection } from '#web/list/table/selection.tsx'
import { goneRows } from '#web/list/table/goneRows.ts'
import { useAddress, type FilterChange } from '#web/list/address/useAddress.ts'
import { product, useViewer, type Person, type PageKey } from '#web/session.ts'
import { useScope } from '#web/shell/useScope.ts'

/** Filters that every list has. */
export interface ListFilters {
  page: number
  search?: string
  column?: string
  direction?: 'asc' | 'desc'
  /** The record that is open beside the list (`list/inbox`). */
  open?: number | undefined
  /** Whether a list with `scopedBy` shows all products of the viewer instead of the chosen one. */
  product_scope?: 'all' | undefined
}

/** The usual response: one page of rows. */
export interface PageOf<Row> {
  data: readonly Row[]
  total: number
  /** Present if there are more rows than the page counted (`countedBy`). */
  total_is_capped?: true | undefined
  per_page: number
}

interface Definition<Row, S extends z.ZodType<ListFilters>> {
  /** Name used for the list's columns, views, and drafts, such as `contracts`. */
  name: ListName
  /** Record type, used for selecting rows and moving them to the trash. */
  type?: RecordType
  /** Whether the viewer can move a row to the trash; by default, every row if the type allows it. */
  mayRemove?: (row: Row, viewer: Person) => boolean
  /**
   * Whether rows can be selected; by default, if the viewer is allowed to move records of the type to the
   * trash.
   */
  isSelectable?: boolean
  endpoint: ReadEndpoint
  /** Schema of the filters, used for both the browser's URL and the request. */
  filters: S
  /** Filters that are kept until the user signs out. */
  storedFilters?: readonly PageKey[]
  /** Key under which "More filters" stays open until the user signs out. */
  storedPanel?: PageKey
  columns: readonly Column<Row>[]
  rowKey: (row: Row) => number
  rowName: (row: Row) => string
  /** Returns the URL of a row's page, which Enter opens. */
  addressOf?: (row: Row) => string
  /** Renders a row as a card, used on phones. */
  card?: (row: Row) => ReactNode
  /** Label of the search box; without it, there is no search. */
  searchLabel?: string
  /** Tooltip of the search, such as the conditions that it accepts. */
  searchHelp?: string
  /** Splits a search into conditions and words, each of which has a chip. */
  splitSearch?: SplitSearch
  /**
   * Endpoint that counts all rows, with the same filters. With it, pages count only up to `mostCounted` rows, and it is
   * requested if there are more.
   */
  countedBy?: ReadEndpoint & { response: z.ZodType<{ total: number }> }
  /** Endpoint that exports the list as CSV, with the same filters. */
  exportCsv?: EndpointShape
  /** Returns additional query parameters for the CSV. */
  exportQuery?: () => Record<string, unknown>
  /** Whether the request takes `ids`, which an inbox needs for rows that left the list while the user works on it. */
  takesIds?: boolean
  /** Whether an inbox drops a record that left the list as soon as it isn't open, as a queue that becomes shorter. */
  leavesWhenDone?: boolean
  /** Converts the filters to query parameters; needed only if these differ from the ones in the URL. */
  toQuery?: (filters: z.output<S>) => Record<string, unknown>
  /** Query parameter for the chosen product, if the list shows one product at a time. */
  scopedBy?: string
}

/** Definition of a list, declared once at module scope; `R` is the response, if it isn't just a page of rows. */
export interface ListOf<
  Row,
  S extends z.ZodType<ListFilters>,
  R extends object = PageOf<Row>,
> extends Definition<Row, S> {
  endpoint: ReadEndpoint & { response: z.ZodType<R> }
  /** Returns the rows of a response; defaults to its `data`. */
  rows?: (reply: R) => readonly Row[]
}

/** A list's state, which its parts show: heading, filters, table, and pager. */
export interface List<Row, S extends z.ZodType<ListFilters>> {
  definition: Definition<Row, S>
  filters: z.output<S>
  filterBy: (change: FilterChange<z.output<S>>, options?: { replace?: boolean }) => Promise<void>
  /** Query parameters of the request: filters, product, and those that the page adds. */
  requestQuery: Record<string, unknown>
  rows: readonly Row[] | undefined
  /** The number of all rows; a lower bound while `isCapped`. */
  total: number | undefined
  /** Whether there are more rows than were counted so far. */
  isCapped: boolean
  perPage: number | undefined
  error: unknown
  stale: boolean
  /** The list as the pages of its records step through it. */
  walked: WalkedList
  /** The product that scopes the page; undefined for all products. */
  scope: number | undefined
  /** Whether the viewer is allowed to request the list at all. */
  may: boolean
  retry: () => void
  columns: TableColumns<Row>
  selection: Selection
  /** Keeps the selected rows selected after they were changed, except those that have left the list. */
  keepSelected: () => Promise<void>
  isSelectable: boolean
  /** Whether the viewer can move any of the selected rows to the trash. */
  mayRemoveSelected: boolean
}

interface More {
  /** Parameters from the page's own path, such as a category or a tag. */
  params?: Record<string, unknown>
  query?: Record<string, unknown>
}

const scopeOf = ({ product_scope }: ListFilters, chosen: number | undefined) =>
  product_scope === 'all' ? undefined : chosen

type MoreOf<F> = More | ((filters: F) => More)

function inputOf<S extends z.ZodType<ListFilters>>(
  definition: Pick<Definition<never, S>, 'filters' | 'toQuery' | 'scopedBy' | 'endpoint' | 'countedBy'>,
  filters: z.output<S>,
  scope: number | undefined,
  more: MoreOf<z.output<S>>,
) {
  const { params, query } = typeof more === 'function' ? more(filters) : more
  const requestQuery: Record<string, unknown> = {
    ...(definition.toQuery?.(filters) ?? toAddress(definition.filters, filters)),
    // With all products, the product is a filter like any other.
    ...(definition.scopedBy && filters.product_scope !== 'all' ? { [definition.scopedBy]: scope } : {}),
    ...query,
  }
  const asked = definition.countedBy ? { ...requestQuery, count: 'capped' } : requestQuery
  const input = definition.endpoint.method === 'GET' ? { query: asked } : { body: asked }
  return { requestQuery, input: params ? { params, ...input } : input }
}

/** Prefetches a list for its page: `prepare: async () => (search) => prepareList(contractList, search)`. */
export function prepareList<Row, S extends z.ZodType<ListFilters>, R extends object>(
  definition: ListOf<Row, S, R>,
  search: Record<string, unknown>,
  more: MoreOf<z.output<S>> = {},
): Promise<unknown> {
  const filters = filtersOf(definition, search)
  const scope = scopeOf(filters, product())
  offerList(walkedList(definition, filters, scope, more))
  const { input } = inputOf(definition, filters, scope, more)
  return prefetch(queryOptionsFor(definition.endpoint, input as never))
}

/** Returns everything that a list page needs: filters from the URL, rows, selection, and columns. */
export function useList<Row, S extends z.ZodType<ListFilters>, R extends object>(
  definition: ListOf<Row, S, R>,
  more: MoreOf<z.output<S>> = {},
): List<Row, S> & {
  /** Whole response, for content other than the rows. */
  reply: R | undefined
} {
  const [filters, filterBy] = useStoredFilters(definition, useAddress(definition.filters))
  const scope = scopeOf(filters, useScope())
  const { requestQuery, input } = inputOf(definition, filters, scope, more)
  const viewer = useViewer()
  const may = isAllowed(definition.endpoint, input, viewer)
  const query = useQuery({
    ...queryOptionsFor(definition.endpoint, input as never),
    placeholderData: keepPreviousData,
  })
  const reply: R | undefined = query.data
  // Apart from the rows, which the definition can find elsewhere, every response is the usual page.
  const page = reply as unknown as PageOf<Row> | undefined
  const { total, isCapped } = useTotal(definition, page, requestQuery, query.isPlaceholderData)
  const selection = useSelection(definition.scopedBy ? scope : 0, identityOf(requestQuery, total))
  const rows = reply && readPage(definition, reply).rows
  const keepSelected = async () => {
    // The reply to the change has started this request already.
    const { data, isError } = await query.refetch({ cancelRefetch: false })
    if (!data || isError || !reply) return
    const [before, after] = [readPage(definition, reply), readPage(definition, data)]
    const gone = goneRows(selection.ids, before, after, definition.rowKey)
    // More rows than before are others, which weren't selected.
    const isWhole = !after.isCapped && after.total > 0 && after.total <= before.total
    if (selection.isAll && isWhole) selection.keepAll(identityOf(requestQuery, after.total), gone)
    else selection.drop(gone)
  }
  return {
    definition,
    filters,
    filterBy,
    requestQuery,
    rows,
    total,
    isCapped,
    perPage: page?.per_page,
    reply,
    error: query.error,
    stale: query.isPlaceholderData,
    walked: walkedList(definition, filters, scope, more),
    scope,
    may,
    retry: () => void query.refetch(),
    columns: useTableColumns(definition.name, definition.columns),
    selection,
    keepSelected,
    isSelectable: definition.isSelectable ?? mayTrash(definition.type, viewer),
    mayRemoveSelected: mayRemoveAny(definition, rows, selection, viewer),
  }
}

/** Identifies a whole list, so that it isn't selected anymore when it has other filters or another number of rows. */
const identityOf = (requestQuery: Record<string, unknown>, total: number | undefined): string =>
  JSON.stringify([{ ...requestQuery, page: undefined }, total])

/** Returns the filters of a request without its page and its order, as `countedBy` takes them. */
export const narrowingOf = ({
  page: _page,
  column: _column,
  direction: _direction,
  ...narrowing
}: Record<string, unknown>): Record<string, unknown> => narrowing

/** Returns the number of rows: that of the page or, if the page stopped counting, that of `countedBy` once it is there. */
function useTotal(
  { countedBy, endpoint }: Pick<Definition<never, never>, 'countedBy' | 'endpoint'>,
  page: PageOf<unknown> | undefined,
  requestQuery: Record<string, unknown>,
  stale: boolean,
): { total: number | undefined; isCapped: boolean } {
  const asked = queryOptionsFor(countedBy ?? endpoint, { query: narrowingOf(requestQuery) })
  const isMore = countedBy !== undefined && page?.total_is_capped === true
  const { data } = useQuery({ ...asked, enabled: () => isMore && !stale && asked.enabled() })
  if (!isMore || data === undefined) return { total: page?.total, isCapped: isMore }
  return { total: (data as { total: number }).total, isCapped: false }
}

function readPage<Row, R extends object>(
  definition: { rows?: (reply: R) => readonly Row[] },
  reply: R,
): { rows: readonly Row[]; total: number; isCapped: boolean } {
  const { data, total, total_is_capped } = reply as unknown as PageOf<Row>
  return { rows: definition.rows?.(reply) ?? data, total, isCapped: total_is_capped === true }
}

function walkedList<Row, S extends z.ZodType<ListFilters>, R extends object>(
  definition: ListOf<Row, S, R>,
  filters: z.output<S>,
  scope: number | undefined,
  more: MoreOf<z.output<S>>,
): WalkedList {
  const { endpoint, rowKey, addressOf } = definition
  const askPage = (page: number) =>
    queryOptionsFor(endpoint, inputOf(definition, { ...filters, page }, scope, more).input as never)
  return {
    key: keyOfList(askPage(1)),
    askPage,
    read: (reply) => {
      const { rows, ...counted } = readPage(definition, reply as R)
      return {
        rows: addressOf ? rows.map((row) => ({ id: rowKey(row), to: addressOf(row) })) : [],
        ...counted,
      }
    },
  }
}

/** Returns whether a user is allowed to move records of a type to the trash that lists offer. */
export const mayTrash = (type: RecordType | undefined, viewer: Person | undefined): boolean =>
  type !== undefined &&
  hasTrash(type) &&
  isAllowed(records.remove, { params: { type }, body: { ids: [1] } }, viewer)
