import type { ReactNode } from 'react'
import { Button } from '@mantine/core'
import { requestIdOf, wordsOf } from '#web/api/errors.ts'
import classes from '#web/list/list.module.css'

/** What stands where nothing is: says why, and what to do about it. */
export function EmptyState({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className={classes.state}>
      <p className={classes.stateTitle}>{title}</p>
      {children && <p className={classes.stateText}>{children}</p>}
      {action}
    </div>
  )
}

/** A page that the list does not have any more, or never had. */
export function PastTheEnd({ onFirstPage }: { onFirstPage: () => void }) {
  return (
    <EmptyState
      title="This page is past the end of the list"
      action={
        <Button variant="default" onClick={onFirstPage}>
          Go to the first page
        </Button>
      }
    >
      The list became shorter, or the address names a page that is not there.
    </EmptyState>
  )
}

/** A read that failed: the server's words, the request's id for whoever looks into it, and another try. */
export function ErrorState({ error, onRetry }: { error: unknown; onRetry?: (() => void) | undefined }) {
  const id = requestIdOf(error)
  return (
    <div className={classes.state} role="alert">
      <p className={classes.stateTitle}>This could not be loaded</p>
      <p className={classes.stateText}>{wordsOf(error)}</p>
      {id && (
        <p className={classes.requestId}>
          Request id <code>{id}</code>
        </p>
      )}
      {onRetry && (
        <Button size="xs" variant="default" onClick={onRetry}>
          Retry
        </Button>
      )}
    </div>
  )
}

interface Query<Data> {
  data: Data | undefined
  error: unknown
  isLoading: boolean
  refetch: () => unknown
}

/**
 * The answer of a query once it is there; a skeleton on the first load, an error with Retry.
 * Nothing at all when the person may not ask (A §5).
 */
export function Loaded<Data>({ query, skeleton, children }: { query: Query<Data>; skeleton: ReactNode; children: (data: Data) => ReactNode }) {
  if (query.data !== undefined) return children(query.data)
  if (query.error) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  return query.isLoading ? skeleton : null
}
