import type { ComponentType } from 'react'
import type { Arrangement, DashboardName } from '#features/panel/dashboard/contract.ts'
import type { Person } from '#web/session.ts'

/** A part of the dashboard that a person can hide and move within its place. */
export interface DashboardPart {
  /** Lowercase words with hyphens, unique among all parts; arrangements refer to it. */
  id: string
  name: string
  Part: ComponentType
  /** The dashboards of one area that have the part, too; by default none. */
  alsoOn?: readonly Exclude<DashboardName, 'all'>[]
  /** Whether the viewer can see the part at all; without it, everyone can. */
  mayShow?: (viewer: Person) => boolean
}

/** Places of the dashboard from top to bottom: numbers, two columns, and rows of full and of half width. */
export const places = ['tiles', 'wide', 'narrow', 'full', 'half'] as const
export type Place = (typeof places)[number]
export type Parts = Readonly<Record<Place, readonly DashboardPart[]>>

/** Returns the parts in a person's order; one that they haven't moved follows the part that it follows by default. */
export function ordered(parts: readonly DashboardPart[], order: Arrangement['order']): DashboardPart[] {
  const sorted = parts
    .filter(({ id }) => order.includes(id))
    .toSorted((one, other) => order.indexOf(one.id) - order.indexOf(other.id))
  for (const [index, part] of parts.entries())
    if (!order.includes(part.id)) {
      const before = parts[index - 1]
      sorted.splice(before === undefined ? 0 : sorted.indexOf(before) + 1, 0, part)
    }
  return sorted
}

/** Returns the parts of all places, one of them moved by one step. */
export function moved(parts: Parts, order: Arrangement['order'], id: string, by: 1 | -1): string[] {
  return places.flatMap((place) => {
    const ids = ordered(parts[place], order).map((part) => part.id)
    const from = ids.indexOf(id)
    if (from >= 0 && ids[from + by] !== undefined) ids.splice(from + by, 0, ...ids.splice(from, 1))
    return ids
  })
}
