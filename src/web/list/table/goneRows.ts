interface Page<Row> {
  rows: readonly Row[]
  total: number
  isCapped: boolean
}

/**
 * Returns the selected rows that have left a list when its rows were changed. Of rows on other pages, only the numbers
 * of rows say whether they left; if that is unclear, they count as gone, so that no later change includes them.
 */
export function goneRows<Row>(
  selected: readonly number[],
  before: Page<Row>,
  after: Page<Row>,
  rowKey: (row: Row) => number,
): readonly number[] {
  const [was, is] = [new Set(before.rows.map(rowKey)), new Set(after.rows.map(rowKey))]
  const absent = selected.filter((id) => was.has(id) && !is.has(id))
  const isCounted = !before.isCapped && !after.isCapped
  const left = isCounted ? before.total - after.total : absent.length
  // Those that are absent have moved to another page.
  if (left <= 0) return []
  return left === absent.length ? absent : selected.filter((id) => !is.has(id))
}
