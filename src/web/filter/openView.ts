import { useNavigate } from '@tanstack/react-router'
import type { z } from 'zod'
import type { SavedView } from '#shared/record.contract.ts'
import { fromAddress, toAddress } from '#web/list/address/fromAddress.ts'
import type { TableColumns } from '#web/list/columns.ts'
import { toast } from '#web/message/toast.ts'

/** The parts of a list that a saved view stores. */
export interface ViewedList {
  definition: { name: string; filters: z.ZodType<object> }
  filters: object
  columns: Pick<TableColumns<any>, 'all' | 'isShown' | 'show'>
}

/** Returns the function that opens a saved view of the list: its filters, its sort order, and its columns. */
export function useOpenView(list: ViewedList): (view: SavedView) => void {
  const navigate = useNavigate()
  return (view) => {
    for (const column of list.columns.all) list.columns.show(column, isShownBy(view, column))
    const gone = view.shown_columns?.filter((id) => !list.columns.all.some((column) => column.id === id))
    if (gone?.length)
      toast.notice(
        `${gone.length === 1 ? 'A column' : `${gone.length} columns`} of this view can’t be shown: the custom field was deleted, or it belongs to another product.`,
      )
    void navigate({ to: '.', search: view.address })
  }
}

/** Returns whether a view shows a column. */
const isShownBy = (
  { hidden_columns, shown_columns }: SavedView,
  { id, hiddenAtFirst, isCustom }: ViewedList['columns']['all'][number],
): boolean =>
  isCustom || (hiddenAtFirst && shown_columns)
    ? shown_columns?.includes(id) === true
    : !hidden_columns?.includes(id)

/** Parameters of a list's address that don't select rows. */
const notNarrowing = new Set(['page', 'open', 'layout', 'column', 'direction'])

/** Returns whether the list has the filters of a view, in whatever order, layout, and place. */
export const isViewOpen = (
  { definition: { filters: schema }, filters }: Pick<ViewedList, 'definition' | 'filters'>,
  { address }: Pick<SavedView, 'address'>,
): boolean => narrowingText(schema, filters) === narrowingText(schema, fromAddress(schema, address))

const narrowingText = (schema: z.ZodType<object>, filters: object): string =>
  JSON.stringify(
    Object.entries(toAddress(schema, filters))
      .filter(([name]) => !notNarrowing.has(name))
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )
