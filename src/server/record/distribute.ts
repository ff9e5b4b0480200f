/**
 * Returns the person of each record if people get about as many each: the one with the fewest among those who can open it,
 * and of several the first one. Records that none of them can open are missing.
 * @param open the records that each person can open, by the ID of the person
 */
export function distribute(
  ids: readonly number[],
  open: ReadonlyMap<number, ReadonlySet<number>>,
): Record<number, number> {
  const each = [...open].map(([person, theirs]) => ({ person, theirs, count: 0 }))
  const turns: Record<number, number> = {}
  for (const id of ids) {
    const able = each.filter(({ theirs }) => theirs.has(id))
    if (able.length === 0) continue
    const next = able.reduce((one, other) => (other.count < one.count ? other : one))
    next.count += 1
    turns[id] = next.person
  }
  return turns
}
