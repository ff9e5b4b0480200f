import type { Person } from '#web/session.ts'

interface Definition<Row> {
  rowKey: (row: Row) => number
  mayRemove?: (row: Row, viewer: Person) => boolean
}

interface Chosen {
  ids: readonly number[]
  isAll: boolean
}

/**
 * Returns whether the viewer can move any of the selected rows to the trash; the server leaves out the
 * others. Rows that are selected on other pages count as removable, because their contents aren't known here.
 */
export function mayRemoveAny<Row>(
  { mayRemove, rowKey }: Definition<Row>,
  rows: readonly Row[] | undefined,
  { ids, isAll }: Chosen,
  viewer: Person | undefined,
): boolean {
  if (!mayRemove || isAll) return true
  return ids.some((id) => {
    const row = rows?.find((one) => rowKey(one) === id)
    return row === undefined || (viewer !== undefined && mayRemove(row, viewer))
  })
}
