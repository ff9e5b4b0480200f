import type { ReactNode } from 'react'
import { anyTask } from '#features/tasks/tasks/contract.ts'
import { loadTaskDetails } from '#features/tasks/tasks/web/taskAddress.ts'
import classes from '#features/tasks/tasks/web/tasks.module.css'
import { useMay } from '#web/api/useSend.ts'
import { LinkOverPage } from '#web/record/LinkOverPage.tsx'

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
  const may = useMay(anyTask.view, { params: { id } })
  if (!may) return <span className={className}>{children}</span>
  return (
    <LinkOverPage name="task" id={id} className={className} onPointerEnter={() => void loadTaskDetails()}>
      {children}
    </LinkOverPage>
  )
}
