import { Suspense } from 'react'
import { loadTaskDetails, useTaskAddress } from '#features/tasks/tasks/web/taskAddress.ts'
import { lazyPart } from '#web/shell/lazy.tsx'

const TaskDetails = lazyPart(loadTaskDetails)

/** Shows Task Details on top of any page that has a task in its URL. */
export function TaskDetailsHost() {
  const { id, close } = useTaskAddress()
  if (id === undefined) return null
  return (
    <Suspense>
      <TaskDetails key={id} id={id} onClose={close} />
    </Suspense>
  )
}
