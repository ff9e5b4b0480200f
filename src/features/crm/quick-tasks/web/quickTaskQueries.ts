import { quickTasks } from '#features/crm/quick-tasks/contract.ts'

/** Endpoints to refetch after a change of a quick task. */
export const quickTaskQueries = [quickTasks.list, { path: '/admin/dashboard' }]
