import type { UseQueryResult } from '@tanstack/react-query'
import { ErrorState, LoadingState } from '#web/list/states.tsx'
import { NoAccess } from '#web/states/NoAccess.tsx'

interface Props {
  query: Pick<UseQueryResult, 'error' | 'isLoading' | 'fetchStatus' | 'refetch'>
  /** The record as a noun at the start of a sentence, such as `Lead`. */
  what?: string
}

/**
 * Content in place of a record that isn't loaded: an error, the loading state, or that the viewer's role can't see it.
 * Without permission nothing is requested (A §5), so the query is idle.
 */
export function RecordPlaceholder({ query: { error, isLoading, fetchStatus, refetch }, what }: Props) {
  if (error) return <ErrorState error={error} what={what} onRetry={() => void refetch()} />
  if (isLoading) return <LoadingState />
  return fetchStatus === 'idle' && <NoAccess />
}
