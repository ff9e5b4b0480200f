import { quickTasks } from '#features/crm/quick-tasks/contract.ts'

/** Endpoints to refetch after a quick task changes. */
export const quickTaskQueries = [quickTasks.list, { path: '/admin/dashboard' }]
