import type { PaletteHit } from '#web/palette/Palette.tsx'

interface Group {
  hits: readonly PaletteHit[]
  /** Whether texts name these records by their number (#145). */
  isNamedByNumber?: boolean
  isFetching?: boolean
}

/**
 * Returns the groups with a record that has the typed number (`145` or `#145`) first, and this record first in
 * its group: it is what was meant, rather than a phone number with the same digits. Until the records that are
 * named by their number have answered, there are no hits, because Enter would open another record with this number.
 */
export function bestFirst<Found extends Group>(found: readonly Found[], text: string): Found[] {
  const number = /^#?([1-9]\d*)$/.exec(text)?.[1]
  if (number === undefined) return [...found]
  const isMeant = (hit: PaletteHit) => String(hit.number) === number
  const first = <Item>(items: readonly Item[], is: (item: Item) => boolean) => [
    ...items.filter((item) => is(item)),
    ...items.filter((item) => !is(item)),
  ]
  const isAwaited = found.some(({ isNamedByNumber, isFetching }) => isNamedByNumber && isFetching)
  return first(found, ({ hits }) => hits.some(isMeant)).map((group) => ({
    ...group,
    hits: isAwaited ? [] : first(group.hits, isMeant),
  }))
}
