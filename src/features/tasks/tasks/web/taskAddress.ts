import { useSearch } from '@tanstack/react-router'
import { useOpenOverPage } from '#web/record/LinkOverPage.tsx'

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

/** Returns a function that opens a task on top of the page, or closes it. */
export const useTaskNavigation = () => useOpenOverPage('task')
