import type { ReactNode } from 'react'
import { Button } from '@mantine/core'
import { requestIdOf, errorMessageOf } from '#web/api/errors.ts'
import classes from '#web/list/list.module.css'

/** Placeholder for missing content: says why there is nothing to show and what to do about it. */
export function EmptyState({
  title,
  children,
  action,
}: {
  title: string
  children?: ReactNode
  action?: ReactNode
}) {
  return (
    <div className={classes.state}>
      <p className={classes.stateTitle}>{title}</p>
      {children && <p className={classes.stateText}>{children}</p>}
      {action && <div className={classes.stateActions}>{action}</div>}
    </div>
  )
}

/** Placeholder for a page beyond the end of the list. */
export function PastTheEnd({ onFirstPage }: { onFirstPage: () => void }) {
  return (
    <EmptyState
      title="No results on this page"
      action={
        <Button variant="default" onClick={onFirstPage}>
          Go to first page
        </Button>
      }
    >
      The list has become shorter, or the page number in the URL is too high.
    </EmptyState>
  )
}

/**
 * A failed request: the server's message, the request ID for support, and a Retry button.
 */
export function ErrorState({ error, onRetry }: { error: unknown; onRetry?: (() => void) | undefined }) {
  const id = requestIdOf(error)
  return (
    <div className={classes.state} role="alert">
      <p className={classes.stateTitle}>Couldn’t load this</p>
      <p className={classes.stateText}>{errorMessageOf(error)}</p>
      {id && (
        <p className={classes.requestId}>
          Request ID <code>{id}</code>
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
 * Renders a query's data once it is loaded: a skeleton during the first load, an error with a Retry button,
 * and nothing if the viewer is not allowed to make the request (A §5).
 */
export function Loaded<Data>({
  query,
  skeleton,
  children,
}: {
  query: Query<Data>
  skeleton: ReactNode
  children: (data: Data) => ReactNode
}) {
  if (query.data !== undefined) return children(query.data)
  if (query.error) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  return query.isLoading ? skeleton : null
}
