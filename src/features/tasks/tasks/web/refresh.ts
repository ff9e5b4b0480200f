import { anyTask, reports, tasks } from '#features/tasks/tasks/contract.ts'
import { disciplineNames } from '#features/tasks/tasks/rules.ts'

/** What a change of a task may have changed of what is shown. */
export const taskReads = [
  ...disciplineNames.flatMap((name) => [tasks[name].list, tasks[name].show, tasks[name].activity]),
  anyTask.view,
  anyTask.currentDueDate,
  anyTask.unnotified,
  reports.today,
  reports.history,
]
