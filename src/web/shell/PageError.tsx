import { Button } from '@mantine/core'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { useQueryErrorResetBoundary } from '@tanstack/react-query'
import { ApiError } from '#web/api/errors.ts'
import { ErrorState } from '#web/list/states.tsx'
import { ChunkLoadError } from '#web/shell/lazy.tsx'
import classes from '#web/shell/PageError.module.css'

/** What stands in the place of a page that failed. */
export function PageError({ error, reset }: ErrorComponentProps) {
  const queries = useQueryErrorResetBoundary()
  if (error instanceof ApiError) {
    return (
      <ErrorState
        error={error}
        onRetry={() => {
          queries.reset()
          reset()
        }}
      />
    )
  }
  const isMissingCode = error instanceof ChunkLoadError
  return (
    <div className={classes.error} role="alert">
      <h1 className={classes.title}>{isMissingCode ? 'This page could not be loaded' : 'This page has a problem'}</h1>
      <p className={classes.text}>
        {isMissingCode ? `${error.message} The connection may have been lost, or there is a newer version of the panel.` : 'It is not your mistake. Reload the page; if it happens again, tell an administrator what you did.'}
      </p>
      <Button onClick={() => globalThis.location.reload()}>Reload the page</Button>
    </div>
  )
}
