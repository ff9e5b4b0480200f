import { useQuery } from '@tanstack/react-query'
import { mentionedIn, type Person } from '#web/composer/mentions.ts'

type Asked = Parameters<typeof useQuery<{ data: readonly Person[] }>>[0]

/**
 * Returns the people who can be mentioned, and a function that returns the IDs of those whom a text mentions: it waits
 * for the people if they haven't loaded, and fails if they can't be loaded, so that no mention is lost.
 * @param asked query options, such as `queryOptionsFor(recordNotes.readers, …)`
 */
export function useMentionable(asked: unknown) {
  const query = useQuery(asked as Asked)
  async function mentionedIds(text: string): Promise<number[]> {
    if (!text.includes('@')) return []
    const { data } = query.data ? query : await query.refetch({ throwOnError: true })
    return mentionedIn(text, data?.data ?? []).map(({ id }) => id)
  }
  return { people: query.data?.data ?? [], mentionedIds }
}
