import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { recordNotes } from '#shared/notes.contract.ts'
import { records, type RecordEvent } from '#shared/record.contract.ts'
import type { RecordType } from '#shared/records.ts'
import { isNotFound } from '#web/api/errors.ts'
import { queryOptionsFor, keyOf, request } from '#web/api/client.ts'
import { refetchedBy } from '#web/api/refetch.ts'
import { useMay } from '#web/api/useSend.ts'

const perLoad = 50

/**
 * Requests the notes and the history of a record, for viewers who can read them.
 * @returns also why one of them failed, what repeats the failed requests, and the changes that can still be loaded
 */
export function useTimeline(type: RecordType, id: number) {
  const input = { params: { type, id } }
  const notes = useQuery(queryOptionsFor(recordNotes.ofRecord, { params: { a: type, b: id } }))
  const mayRead = useMay(records.history, input)
  const history = useInfiniteQuery({
    queryKey: [...keyOf(records.history), type, id],
    queryFn: ({ pageParam, signal }) =>
      request(records.history, { ...input, query: pageParam ? { before: pageParam } : {} }, { signal }),
    initialPageParam: 0,
    getNextPageParam: ({ data }) => (data.length === perLoad ? data.at(-1)?.id : undefined),
    enabled: mayRead,
    meta: refetchedBy(records.history, input),
  })
  const retry = () => {
    if (history.isError) void history.refetch()
    if (notes.isError) void notes.refetch()
  }
  const older = history.hasNextPage
    ? {
        label: 'Show older changes',
        isLoading: history.isFetchingNextPage,
        load: () => void history.fetchNextPage(),
      }
    : undefined
  return { mayRead, notes, history, error: errorOf(history) ?? errorOf(notes), retry, older }
}

/** Returns why a query failed; not if its record is gone while it is open, which the page says. */
const errorOf = ({ data, error }: { data: unknown; error: Error | null }) =>
  data !== undefined && isNotFound(error) ? null : error

/**
 * Returns whether an event only recorded a note or an email, which the timeline already shows as a separate
 * entry (emails only if the viewer can read them).
 */
export const isAbout = ({ changes }: RecordEvent, what: string) => changes.some(({ field }) => field === what)

/**
 * Returns whether an event is shown as an entry of these fields, such as a note. One that was undone is shown as an
 * event, so that it can be redone.
 */
export const isShown = (event: RecordEvent, fields: readonly string[]) =>
  fields.some((field) => isAbout(event, field)) && event.operation?.way !== 'redo'
