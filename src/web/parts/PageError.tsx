import { Button } from '@mantine/core'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { ApiError, requestIdOf } from '#web/api/errors.ts'
import { ChunkLoadError } from '#web/shell/lazy.tsx'
import classes from '#web/parts/PageError.module.css'

/** Replacement for a page that failed. Part of the initial bundle, because it is needed when other code does not load. */
export function PageError({ error }: ErrorComponentProps) {
  const id = requestIdOf(error)
  return (
    <div className={classes.error} role="alert">
      <h1 className={classes.title}>{error instanceof ChunkLoadError ? 'This page could not be loaded' : 'This page has a problem'}</h1>
      <p className={classes.text}>{whatToDo(error)}</p>
      {id && (
        <p className={classes.text}>
          Request id <code>{id}</code>
        </p>
      )}
      <Button onClick={() => globalThis.location.reload()}>Reload the page</Button>
    </div>
  )
}

function whatToDo(error: unknown): string {
  if (error instanceof ApiError) return error.message
  if (error instanceof ChunkLoadError) return `${error.message} The connection may have been lost, or there is a newer version of the panel.`
  return 'It is not your mistake. Reload the page; if it happens again, tell an administrator what you did.'
}
