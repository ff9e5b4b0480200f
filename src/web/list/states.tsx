import { useEffect, type ReactNode } from 'react'
import { Button } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import { ApiError, errorMessageOf, requestIdOf } from '#web/api/errors.ts'
import classes from '#web/list/list.module.css'

/*
 * The states of lists, panes, and dialogs. They share a file because nearly every page uses most of them:
 * in separate files, they cost each list two requests and 3 kB.
 */

interface StateProps {
  icon?: Icon | undefined
  title: string
  children?: ReactNode
  /** Buttons or links below the text. */
  action?: ReactNode
  /** ID of the failed request, for administrators. */
  requestId?: string | undefined
  /** `alert` if something failed. */
  role?: 'alert'
}

/** Content in place of something that can't be shown. All other states, except loading, are made of it. */
export const State = ({ icon: Icon, title, children, action, requestId, role }: StateProps) => (
  <div className={classes.state} role={role}>
    {Icon && <Icon size={20} stroke={1.5} className={classes.stateIcon} aria-hidden />}
    <p className={classes.stateTitle}>{title}</p>
    {children && <p className={classes.stateText}>{children}</p>}
    {action && <div className={classes.stateActions}>{action}</div>}
    {requestId && (
      <span className={classes.requestId}>
        Request ID: <code>{requestId}</code>
      </span>
    )}
  </div>
)

interface EmptyProps {
  icon?: Icon
  title: string
  /** Why there is nothing to show, and what to do about it. */
  children?: ReactNode
  action?: ReactNode
}

/** Placeholder for missing content. */
export const EmptyState = (props: EmptyProps) => <State {...props} />

interface NoMatchesProps {
  /** Defaults to “No results match your filters”. */
  title?: string
  /** The active filters, such as `Status: Closed`. */
  filters: readonly string[]
  onClear: () => void
  /** More to try, below the filters. */
  children?: ReactNode
}

/** Placeholder for a list that the active filters leave empty. */
export const NoMatches = ({ title, filters, onClear, children }: NoMatchesProps) => (
  <State
    title={title ?? 'No results match your filters'}
    action={
      <Button variant="default" onClick={onClear}>
        Clear filters
      </Button>
    }
  >
    {filters.join(' · ')}
    {children && filters.length > 0 && <br />}
    {children}
  </State>
)

/** Placeholder for a page beyond the end of the list. */
export const PastTheEnd = ({ onFirstPage }: { onFirstPage: () => void }) => (
  <State
    title="No results on this page"
    action={
      <Button variant="default" onClick={onFirstPage}>
        Go to first page
      </Button>
    }
  >
    The list has become shorter, or the page number in the URL is too high.
  </State>
)

interface ErrorProps {
  error: unknown
  /** The content as a noun at the start of a sentence, such as `Leads`. */
  what?: string | undefined
  onRetry?: (() => void) | undefined
}

/**
 * A request that failed: what happened, a Retry button if a repeated request can succeed, and the request ID
 * for administrators.
 */
export function ErrorState({ error, what, onRetry }: ErrorProps) {
  const status = error instanceof ApiError ? error.status : undefined
  if (status === 0 && !navigator.onLine && onRetry) return <OfflineState onRetry={onRetry} />
  const isFinal = status === 403 || status === 404
  return (
    <State
      icon={IconAlertTriangle}
      role="alert"
      title={titleOf(status, what)}
      requestId={requestIdOf(error)}
      action={
        !isFinal &&
        onRetry && (
          <Button variant="default" onClick={onRetry}>
            Retry
          </Button>
        )
      }
    >
      {errorMessageOf(error)}
    </State>
  )
}

function titleOf(status: number | undefined, what: string | undefined): string {
  if (status === 403) return 'You don’t have access to this'
  if (status === 404) return what ? `${what} not found` : 'Not found'
  return what ? `${what} couldn’t be loaded` : 'Couldn’t load this'
}

/** A request that failed because the browser is offline; retried when it is online again. */
export function OfflineState({ onRetry }: { onRetry: () => void }) {
  useEffect(() => {
    globalThis.addEventListener('online', onRetry)
    return () => globalThis.removeEventListener('online', onRetry)
  }, [onRetry])
  return (
    <State
      role="alert"
      title="You’re offline"
      action={
        <Button variant="default" onClick={onRetry}>
          Retry
        </Button>
      }
    >
      This loads automatically when you’re online again.
    </State>
  )
}

interface LoadingProps {
  /** Number of placeholder rows. */
  rows?: number
  /** Read by screen readers. */
  text?: string
}

/** Placeholder rows shown while content loads for the first time. */
export const LoadingState = ({ rows = 4, text = 'Loading…' }: LoadingProps) => (
  <p role="status" className={classes.loading} style={{ height: rows * 54 }}>
    {text}
  </p>
)

interface Query<Data> {
  data: Data | undefined
  error: unknown
  isLoading: boolean
  refetch: () => unknown
}

interface LoadedProps<Data> {
  query: Query<Data>
  /** The content as a noun at the start of a sentence, such as `Comments`. */
  what?: string
  /** Shown during the first load instead of placeholder rows. */
  skeleton?: ReactNode
  children: (data: Data) => ReactNode
}

/**
 * Renders a query's data once it is loaded: placeholder rows during the first load, an error with a Retry
 * button, and nothing if the viewer is not allowed to make the request (A §5).
 */
export function Loaded<Data>({ query, what, skeleton = <LoadingState />, children }: LoadedProps<Data>) {
  if (query.data !== undefined) return children(query.data)
  if (query.error) return <ErrorState error={query.error} what={what} onRetry={() => void query.refetch()} />
  return query.isLoading ? skeleton : null
}
