/**
 * Returns the rows of a list's page in its current order, except that rows which must stay keep their place, even
 * if they are no longer on the page.
 * @param before the rows as they are shown
 * @param now the rows as they are
 */
export function keepOrder<Row>(
  before: readonly Row[],
  now: readonly Row[],
  rowKey: (row: Row) => number,
  stays: (id: number) => boolean,
): Row[] {
  const keys = new Map(now.map((row) => [rowKey(row), row]))
  const shown = before.map(rowKey)
  // Rows that were not shown yet have no place to keep.
  const isKept = (id: number) => stays(id) && shown.includes(id)
  const result = now.filter((row) => !isKept(rowKey(row)))
  const placeOf = (id: number | undefined) => result.findIndex((row) => rowKey(row) === id)
  for (const [at, row] of before.entries()) {
    const id = rowKey(row)
    if (!isKept(id)) continue
    const previous = shown.slice(0, at).findLast((one) => placeOf(one) >= 0)
    const next = shown.slice(at + 1).find((one) => placeOf(one) >= 0)
    const place =
      previous === undefined ? (next === undefined ? result.length : placeOf(next)) : placeOf(previous) + 1
    result.splice(place, 0, keys.get(id) ?? row)
  }
  return result
}
