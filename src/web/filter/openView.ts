import { useNavigate } from '@tanstack/react-router'
import type { z } from 'zod'
import type { SavedView } from '#shared/views.contract.ts'
import { fromAddress, toAddress } from '#web/list/address/fromAddress.ts'
import type { TableColumns } from '#web/list/columns.ts'
import { toast } from '#web/message/toast.ts'

/** The parts of a list that a saved view stores. */
export interface ViewedList {
  definition: { name: string; filters: z.ZodType<object> }
  filters: object
  columns: Pick<TableColumns<any>, 'all' | 'isShown' | 'arrange'>
}

/** Returns the function that opens a saved view of the list: its filters, its sort order, and its columns. */
export function useOpenView(list: ViewedList): (view: SavedView) => void {
  const navigate = useNavigate()
  return (view) => {
    showColumnsOf(list, view)
    const gone = view.shown_columns?.filter((id) => !list.columns.all.some((column) => column.id === id))
    if (gone?.length)
      toast.notice(
        `${gone.length === 1 ? 'A column' : `${gone.length} columns`} of this view can’t be shown: the custom field was deleted, or it belongs to another product.`,
      )
    void navigate({ to: '.', search: { ...view.address, saved_view: view.id } })
  }
}

/** Shows the columns of a view, also those that aren't loaded yet. */
export function showColumnsOf({ columns }: ViewedList, view: SavedView): void {
  const loaded = columns.all.map((column) => [column.id, !isShownBy(view, column)])
  const named = (view.shown_columns ?? []).map((id) => [id, false])
  columns.arrange({ ...Object.fromEntries(named), ...Object.fromEntries(loaded) })
}

/** Returns whether a view shows a column. */
const isShownBy = (
  { hidden_columns, shown_columns }: SavedView,
  { id, hiddenAtFirst, isCustom }: ViewedList['columns']['all'][number],
): boolean =>
  isCustom || (hiddenAtFirst && shown_columns)
    ? shown_columns?.includes(id) === true
    : !hidden_columns?.includes(id)

/** Returns what a view stores of a list as it is now. */
export function contentOf(list: ViewedList) {
  const { all, isShown } = list.columns
  return {
    address: addressOf(list.definition.filters, list.filters) as Record<string, string>,
    hidden_columns: all.filter((column) => !column.isCustom && !isShown(column)).map(({ id }) => id),
    shown_columns: all.filter((column) => column.hiddenAtFirst && isShown(column)).map(({ id }) => id),
  }
}

/** Returns whether the list's filters, sort order, or columns differ from those of a view. */
export const isViewChanged = (list: ViewedList, view: SavedView): boolean =>
  !hasAddress(list, view, inAnyPlace) ||
  list.columns.all.some(
    (column) => !column.always && list.columns.isShown(column) !== isShownBy(view, column),
  )

/** Parameters of a list's address that aren't part of a view. */
const inAnyPlace = new Set(['page', 'open', 'layout'])
/** Parameters of a list's address that don't select rows. */
const notNarrowing = new Set([...inAnyPlace, 'column', 'direction'])

const addressOf = (schema: z.ZodType<object>, filters: object) =>
  toAddress(schema, { ...filters, page: undefined, open: undefined })

/** Returns whether the list has the filters of a view, in whatever order, layout, and place. */
export const isViewOpen = (
  list: Pick<ViewedList, 'definition' | 'filters'>,
  view: Pick<SavedView, 'address'>,
): boolean => hasAddress(list, view, notNarrowing)

const hasAddress = (
  { definition: { filters: schema }, filters }: Pick<ViewedList, 'definition' | 'filters'>,
  { address }: Pick<SavedView, 'address'>,
  except: ReadonlySet<string>,
): boolean => textOf(schema, filters, except) === textOf(schema, fromAddress(schema, address), except)

const textOf = (schema: z.ZodType<object>, filters: object, except: ReadonlySet<string>): string =>
  JSON.stringify(
    Object.entries(toAddress(schema, filters))
      .filter(([name]) => !except.has(name))
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )
