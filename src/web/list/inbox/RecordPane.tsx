import { Suspense, type ReactNode } from 'react'
import type { UseQueryResult } from '@tanstack/react-query'
import type { RecordType } from '#shared/records.ts'
import { isNotFound } from '#web/api/errors.ts'
import { Middle, PaneSkeleton } from '#web/list/inbox/places.tsx'
import { EmptyState, ErrorState } from '#web/list/states.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'

const TrashedNotice = lazyPart(() => import('#web/record/TrashedNotice.tsx'))

interface Props<Data> {
  query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch'>
  /** Singular name of the record, such as `ticket`. */
  one: string
  /** Whether the viewer can open records of the list. */
  may: boolean
  /**
   * A record that is restored from here. If it is gone since it was opened, it stays with its input, and `children` says
   * so.
   */
  record?: { type: RecordType; id: number }
  children: (data: Data, error: Error | null, retry: () => void) => ReactNode
}

/** The record beside its list, or why it can't be shown. A failed reload keeps the record and its input. */
export function RecordPane<Data>({ query, one, may, record, children }: Props<Data>) {
  const { data, error } = query
  const retry = () => void query.refetch()
  if (!may)
    return (
      <Middle>
        <EmptyState title="No permission">
          {`Your role can list ${one}s, but not open them. Ask an admin for access.`}
        </EmptyState>
      </Middle>
    )
  if (isNotFound(error) && !(data && record))
    return (
      <>
        {record && (
          <Suspense>
            <TrashedNotice {...record} />
          </Suspense>
        )}
        <Middle>
          <EmptyState title={`This ${one} can’t be found`}>
            It was moved to the trash, or you don’t have access to it.
          </EmptyState>
        </Middle>
      </>
    )
  if (data !== undefined) return children(data, error, retry)
  if (!error) return <PaneSkeleton />
  return (
    <Middle>
      <ErrorState error={error} onRetry={retry} />
    </Middle>
  )
}
