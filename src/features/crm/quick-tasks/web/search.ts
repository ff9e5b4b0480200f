import { request } from '#web/api/client.ts'
import { viewer } from '#web/session.ts'
import { recordSearch } from '#web/palette/search.ts'

export const quickTaskSearch = recordSearch({
  group: 'Quick tasks',
  page: '/quick-task',
  find: async (search, signal) => {
    const { quickTasks } = await import('#features/crm/quick-tasks/contract.ts')
    return (await request(quickTasks.list, { query: { search } }, { signal })).data
  },
  hit: ({ id, title, person, person_name }) => {
    const page = person === viewer()?.id ? '/quick-task/my-task' : '/quick-task/assigned-task'
    return {
      id: `quick-task-${id}`,
      label: title,
      detail: `for ${person_name}`,
      to: `${page}?status=all&search=${encodeURIComponent(title)}`,
    }
  },
})
