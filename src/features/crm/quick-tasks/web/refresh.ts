import { quickTasks } from '#features/crm/quick-tasks/contract.ts'

/** What a change of a quick task may have changed of what is shown. */
export const quickTaskReads = [quickTasks.list, { path: '/admin/dashboard' }]
