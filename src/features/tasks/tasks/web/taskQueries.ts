import { anyTask, tasks } from '#features/tasks/tasks/contract.ts'
import { reports } from '#features/tasks/tasks/reports.contract.ts'
import { disciplineNames } from '#features/tasks/tasks/rules.ts'

/** Endpoints to refetch after a task changes. */
export const taskQueries = [
  ...disciplineNames.flatMap((name) => [tasks[name].list, tasks[name].show, tasks[name].activity]),
  anyTask.view,
  anyTask.currentDueDate,
  anyTask.unnotified,
  reports.today,
  reports.history,
]
