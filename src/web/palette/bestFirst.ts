import type { PaletteHit } from '#web/palette/Palette.tsx'

interface Group {
  hits: readonly PaletteHit[]
}

/**
 * Returns the groups with a record that has the typed number (`145` or `#145`) first, and this record first in
 * its group: it is what was meant, rather than a phone number with the same digits.
 */
export function bestFirst<Found extends Group>(found: readonly Found[], text: string): Found[] {
  const number = /^#?([1-9]\d*)$/.exec(text)?.[1]
  if (number === undefined) return [...found]
  const isMeant = (hit: PaletteHit) => String(hit.number) === number
  const first = <Item>(items: readonly Item[], is: (item: Item) => boolean) => [
    ...items.filter((item) => is(item)),
    ...items.filter((item) => !is(item)),
  ]
  return first(found, ({ hits }) => hits.some(isMeant)).map((group) => ({
    ...group,
    hits: first(group.hits, isMeant),
  }))
}
