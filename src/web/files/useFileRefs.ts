import { useQuery } from '@tanstack/react-query'
import { files, type FileRef } from '#shared/files.ts'
import { queryOptionsFor } from '#web/api/client.ts'

/** Shorter than the four to five minutes for which URLs are valid. */
const freshMs = 200_000

/**
 * Returns files by ID with valid URLs, refetched before they expire; files that the viewer cannot see are
 * left out.
 */
export function useFileRefs(ids: readonly number[]): ReadonlyMap<number, FileRef> {
  const { data } = useQuery({
    ...queryOptionsFor(files.refs, {
      query: { ids: [...new Set(ids)].toSorted((a, b) => a - b).slice(0, 100) },
    }),
    enabled: ids.length > 0,
    staleTime: freshMs,
    refetchInterval: freshMs,
    select: toMap,
  })
  return data ?? none
}

const none: ReadonlyMap<number, FileRef> = new Map()
const toMap = ({ data }: { data: FileRef[] }): ReadonlyMap<number, FileRef> =>
  new Map(data.map((ref) => [ref.id, ref]))
