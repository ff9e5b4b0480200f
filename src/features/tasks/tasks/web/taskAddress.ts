import { useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import { toQueryString } from '#web/api/query-string.ts'

/** The code of Task Details; a link asks for it ahead of the click. */
export const loadTaskDetails = () => import('#features/tasks/tasks/web/TaskDetails.tsx')

/** Task Details stands in the address of any page as `task`: a link to it opens it, and Back closes it. */
export function useTaskAddress() {
  const { task } = useSearch({ strict: false }) as { task?: unknown }
  const go = useTaskNavigation()
  const id = typeof task === 'number' || typeof task === 'string' ? Number(task) : undefined
  return { id: id !== undefined && Number.isInteger(id) && id > 0 ? id : undefined, close: () => go(undefined) }
}

/** Opens a task over the page, or closes it; the page itself is not drawn anew for it. */
export function useTaskNavigation() {
  const navigate = useNavigate()
  return (task: number | undefined) => void navigate({ to: '.', search: (now: object) => ({ ...now, task }) })
}

/** The address of a task over this page: `addressOf(482)`. The same while tasks open and close, so that no link is drawn anew. */
export function useTaskLinks() {
  const page = useLocation({
    select: ({ pathname, search: { task: _task, ...rest } }: { pathname: string; search: { task?: unknown } }) =>
      `${pathname}?${toQueryString({ ...rest, task: '' })}`,
  })
  return (task: number) => page + task
}
