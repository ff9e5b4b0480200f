import type { MouseEvent, ReactNode } from 'react'
import { anyTask } from '#features/tasks/tasks/contract.ts'
import { loadTaskDetails, useTaskLinks, useTaskNavigation } from '#features/tasks/tasks/web/taskAddress.ts'
import classes from '#features/tasks/tasks/web/tasks.module.css'
import { useMay } from '#web/api/useSend.ts'

/**
 * A task's title. For viewers who are allowed to see the task, clicking the title opens Task Details on top
 * of the page.
 */
export function TaskLink({
  id,
  children,
  className = classes.title,
}: {
  id: number
  children: ReactNode
  className?: string | undefined
}) {
  const open = useTaskNavigation()
  const addressOf = useTaskLinks()
  const may = useMay(anyTask.view, { params: { id } })
  if (!may) return <span className={className}>{children}</span>
  function go(event: MouseEvent): void {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    open(id)
  }
  return (
    <a href={addressOf(id)} className={className} onPointerEnter={() => void loadTaskDetails()} onClick={go}>
      {children}
    </a>
  )
}
