import { useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import { toQueryString } from '#web/api/query-string.ts'

/** Loads the code of Task Details; links call this before they are clicked. */
export const loadTaskDetails = () => import('#features/tasks/tasks/web/TaskDetails.tsx')

/** Returns the task in the URL. On any page, the `task` parameter opens Task Details, and Back closes it. */
export function useTaskAddress() {
  const { task } = useSearch({ strict: false }) as { task?: unknown }
  const go = useTaskNavigation()
  const id = typeof task === 'number' || typeof task === 'string' ? Number(task) : undefined
  return {
    id: id !== undefined && Number.isInteger(id) && id > 0 ? id : undefined,
    close: () => go(undefined),
  }
}

/** Returns a function that opens a task on top of the page, or closes it, without re-rendering the page. */
export function useTaskNavigation() {
  const navigate = useNavigate()
  return (task: number | undefined) => void navigate({ to: '.', search: (now: object) => ({ ...now, task }) })
}

/**
 * Returns a function that builds the URL of a task on top of this page, such as `addressOf(482)`. The
 * function is stable while tasks open and close, so links do not re-render.
 */
export function useTaskLinks() {
  const page = useLocation({
    select: ({
      pathname,
      search: { task: _task, ...rest },
    }: {
      pathname: string
      search: { task?: unknown }
    }) => `${pathname}?${toQueryString({ ...rest, task: '' })}`,
  })
  return (task: number) => page + task
}
