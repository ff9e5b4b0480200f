import { Button } from '@mantine/core'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { ApiError, requestIdOf } from '#web/api/errors.ts'
import { ChunkLoadError } from '#web/shell/lazy.tsx'
import classes from '#web/states/states.module.css'

/**
 * Shown in place of a page that failed. Part of the initial bundle, because it is needed when other code
 * fails to load.
 */
export function PageError({ error }: ErrorComponentProps) {
  const id = requestIdOf(error)
  return (
    <div className={classes.page} role="alert">
      <h1 className={classes.title}>
        {error instanceof ChunkLoadError ? 'Couldn’t load this page' : 'Something went wrong'}
      </h1>
      <p className={classes.text}>{whatToDo(error)}</p>
      <Button onClick={() => globalThis.location.reload()}>Reload page</Button>
      {id && (
        <span className={classes.request}>
          Request ID: <code>{id}</code>
        </span>
      )}
    </div>
  )
}

function whatToDo(error: unknown): string {
  if (error instanceof ApiError) return error.message
  if (error instanceof ChunkLoadError)
    return `${error.message} You may be offline, or a newer version of the panel may be available.`
  return 'This isn’t your fault. Reload the page. If it happens again, tell an Admin what you were doing.'
}
