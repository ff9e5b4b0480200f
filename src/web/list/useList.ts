import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import type { ListName } from '#shared/list-access.ts'
import type { LiveName, RecordType } from '#shared/records.ts'
import { queryOptionsFor, isAllowed, type ReadEndpoint } from '#web/api/client.ts'
import { prefetch } from '#web/api/queries.ts'
import { useTableColumns, type Column, type TableColumns } from '#web/list/columns.ts'
import { fromAddress, toAddress } from '#web/list/fromAddress.ts'
import { useSelection, type Selection } from '#web/list/selection.tsx'
import { useAddress } from '#web/list/useAddress.ts'
import { useChanged } from '#web/live.ts'
import { product, useViewer } from '#web/session.ts'
import { useScope } from '#web/shell/useScope.ts'

/** Filters that every list has. */
export interface ListFilters {
  page: number
  search?: string
  column?: string
  direction?: 'asc' | 'desc'
}

/** Definition of a list, declared once at module scope. */
export interface ListOf<Row, S extends z.ZodType<ListFilters>> {
  /** Name used for the list's columns, views, and drafts, such as `contracts`. */
  name: ListName
  /** Record type, used for selecting rows, moving them to the trash, and refreshing the list. */
  type?: RecordType
  /** Name used for live refresh, if it differs from the type. */
  live?: LiveName
  endpoint: ReadEndpoint
  /** Schema of the filters, used for both the browser's URL and the request. */
  filters: S
  columns: readonly Column<Row>[]
  rowKey: (row: Row) => number
  rowName: (row: Row) => string
  /** Returns the rows of a response; defaults to its `data`. */
  rows?: (reply: any) => Row[]
  /** Converts the filters to query parameters; needed only if these differ from the ones in the URL. */
  toQuery?: (filters: z.output<S>) => Record<string, unknown>
  /** Query parameter for the chosen product, if the list shows one product at a time. */
  scopedBy?: string
}

export interface List<Row, S extends z.ZodType<ListFilters>> {
  definition: ListOf<Row, S>
  filters: z.output<S>
  filterBy: (change: Partial<z.output<S>>, options?: { replace?: boolean }) => Promise<void>
  /** Query parameters of the request: filters, product, and those that the page adds. */
  requestQuery: Record<string, unknown>
  rows: readonly Row[] | undefined
  total: number | undefined
  perPage: number | undefined
  /** Whole response, for content other than the rows. */
  reply: any
  error: unknown
  stale: boolean
  /** Returns the query for another page. */
  askPage: (page: number) => ReturnType<typeof queryOptionsFor>
  /** Whether the viewer is allowed to request the list at all. */
  may: boolean
  retry: () => void
  columns: TableColumns<Row>
  selection: Selection
}

interface More {
  /** Parameters from the page's own path, such as a category or a tag. */
  params?: Record<string, unknown>
  query?: Record<string, unknown>
}

type MoreOf<F> = More | ((filters: F) => More)

function inputOf<Row, S extends z.ZodType<ListFilters>>(
  definition: ListOf<Row, S>,
  filters: z.output<S>,
  scope: number | undefined,
  more: MoreOf<z.output<S>>,
) {
  const { params, query } = typeof more === 'function' ? more(filters) : more
  const requestQuery: Record<string, unknown> = {
    ...(definition.toQuery?.(filters) ?? toAddress(definition.filters, filters)),
    ...(definition.scopedBy ? { [definition.scopedBy]: scope } : {}),
    ...query,
  }
  const input = definition.endpoint.method === 'GET' ? { query: requestQuery } : { body: requestQuery }
  return { requestQuery, input: params ? { params, ...input } : input }
}

/** Prefetches a list for its page: `prepare: async () => (search) => prepareList(contractList, search)`. */
export function prepareList<Row, S extends z.ZodType<ListFilters>>(
  definition: ListOf<Row, S>,
  search: Record<string, unknown>,
  more: MoreOf<z.output<S>> = {},
): Promise<unknown> {
  const { input } = inputOf(definition, fromAddress(definition.filters, search), product(), more)
  return prefetch(queryOptionsFor(definition.endpoint, input as never))
}

/**
 * Returns everything that a list page needs: filters from the URL, rows, selection, and columns. The list
 * refreshes when a record of its type changes.
 */
export function useList<Row, S extends z.ZodType<ListFilters>>(
  definition: ListOf<Row, S>,
  more: MoreOf<z.output<S>> = {},
): List<Row, S> {
  const [filters, filterBy] = useAddress(definition.filters)
  const scope = useScope()
  const { requestQuery, input } = inputOf(definition, filters, scope, more)
  const may = isAllowed(definition.endpoint, input, useViewer())
  const query = useQuery({
    ...queryOptionsFor(definition.endpoint, input as never),
    placeholderData: keepPreviousData,
  })
  const live = definition.live ?? definition.type
  useChanged(live, may ? [definition.endpoint] : [])
  const reply = query.data as any
  const selection = useSelection(
    definition.scopedBy ? scope : 0,
    JSON.stringify([{ ...requestQuery, page: 1 }, reply?.total]),
  )
  return {
    definition,
    filters,
    filterBy,
    requestQuery,
    rows: reply === undefined ? undefined : definition.rows ? definition.rows(reply) : reply.data,
    total: reply?.total,
    perPage: reply?.per_page,
    reply,
    error: query.error,
    stale: query.isPlaceholderData,
    askPage: (page) =>
      queryOptionsFor(
        definition.endpoint,
        inputOf(definition, { ...filters, page }, scope, more).input as never,
      ),
    may,
    retry: () => void query.refetch(),
    columns: useTableColumns(definition.name, definition.columns),
    selection,
  }
}
