import type { QueryClient } from '@tanstack/react-query'
import { keyOf } from '#web/api/client.ts'
import { Moment } from '#web/Moment.tsx'
import { Tone } from '#web/parts/Tone.tsx'

/** Placeholder for the publication time, shown until the next response arrives (docs/spec-gaps.md G42). */
const justNow = 'Just now'

export const PublishedState = ({ published }: { published: number }) => (
  <Tone tone={published === 1 ? 'green' : 'gray'}>{published === 1 ? 'Published' : 'Unpublished'}</Tone>
)

/** The time when the article was published. */
export const PublishedAt = ({ at }: { at: string | null }) =>
  at === null ? null : at === justNow ? <span>{justNow}</span> : <Moment at={at} />

interface Published {
  id: number
  published: number
  version: number
}

/** Patches the cached rows after publishing or unpublishing, until the lists are refetched (docs/spec-gaps.md G42). */
export function showPublished(
  queries: QueryClient,
  endpoints: readonly { path: string }[],
  { id, published, version }: Published,
): void {
  const shown = { published, published_at: published === 1 ? justNow : null, announces: false, version }
  const patch = (reply: unknown): unknown => {
    const held = (reply as { data?: unknown } | undefined)?.data
    if (Array.isArray(held))
      return {
        ...(reply as object),
        data: held.map((row: Published) => (row.id === id ? { ...row, ...shown } : row)),
      }
    return (held as Published | undefined)?.id === id
      ? { ...(reply as object), data: { ...(held as Published), ...shown } }
      : reply
  }
  for (const one of endpoints) {
    // The refetch that the reply began would replace the words of G42 with the time.
    void queries.cancelQueries({ queryKey: keyOf(one) })
    queries.setQueriesData({ queryKey: keyOf(one) }, patch)
  }
}
