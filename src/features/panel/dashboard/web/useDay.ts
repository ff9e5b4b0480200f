import { useQueries } from '@tanstack/react-query'
import type { Icon } from '@tabler/icons-react'
import type { Asking, DayItem, DaySource } from '#web/dashboard/daySource.ts'
import { useMyProducts, useViewer } from '#web/session.ts'
import { countText, useToday } from '#web/time.ts'

export interface ShownItem extends DayItem {
  icon: Icon
}

interface Day {
  asking: Asking
  /** The sources that the viewer can see. */
  sources: readonly DaySource[]
  items: readonly ShownItem[]
  total: number
  /** Links to the pages that have all items of an area. */
  all: readonly { text: string; to: string }[]
  failed: readonly { name: string; retry: () => void }[]
  isLoading: boolean
}

/** Returns what waits for the viewer in all areas; undefined while no one is signed in. */
export function useDay(all: readonly DaySource[]): Day | undefined {
  const viewer = useViewer()
  const today = useToday()
  const products = useMyProducts()
  const asking = viewer && { viewer, today, products }
  const asked = asking
    ? all.flatMap((source) => {
        const query = source.queryFor(asking)
        return query ? [{ source, query }] : []
      })
    : []
  const replies = useQueries({ queries: asked.map(({ query }) => query) })
  if (!asking) return undefined
  const parts = asked.map(({ source }, index) => {
    const { data, error, isLoading, refetch } = replies[index]!
    const part = data === undefined ? undefined : source.read(data, asking)
    return { source, part, hasFailed: data === undefined && error !== null, isLoading, refetch }
  })
  return {
    asking,
    sources: asked.map(({ source }) => source),
    items: parts.flatMap(({ source, part }) =>
      (part?.items ?? []).map((item) => ({ ...item, icon: source.icon })),
    ),
    total: parts.reduce((sum, { part }) => sum + (part?.total ?? 0), 0),
    all: parts.flatMap(({ source, part }) => {
      const to = source.all?.(asking.viewer)
      if (!part?.total || to === undefined) return []
      const count = part.total > part.items.length ? `${countText(part.total)} ` : ''
      return [{ text: `All ${count}${source.name.toLowerCase()}`, to }]
    }),
    failed: parts.flatMap(({ source, hasFailed, refetch }) =>
      hasFailed ? [{ name: source.name, retry: () => void refetch() }] : [],
    ),
    isLoading: parts.some(({ isLoading }) => isLoading),
  }
}
