import type { Permission } from '#shared/access.ts'
import { request } from '#web/api/client.ts'
import { pageOf } from '#web/record/recordAddress.ts'
import { recordSearch } from '#web/palette/search.ts'

interface OfDiscipline {
  discipline: 'development' | 'designer'
  type: 'task' | 'designer_task'
  group: string
  needs: readonly Permission[]
  page: string
}

const searchOf = ({ discipline, type, ...shown }: OfDiscipline) =>
  recordSearch({
    ...shown,
    list: `${shown.page}?`,
    find: async (search, signal) => {
      const { tasks } = await import('#features/tasks/tasks/contract.ts')
      return (await request(tasks[discipline].list, { body: { search } }, { signal })).data
    },
    hit: ({ id, title }) => ({
      id: `task-${id}`,
      label: title,
      detail: `#${id}`,
      to: pageOf(type, id),
      number: id,
    }),
  })

export const taskSearches = [
  searchOf({
    discipline: 'development',
    type: 'task',
    group: 'Development tasks',
    needs: ['task_list', 'view_task'],
    page: '/development-tasks',
  }),
  searchOf({
    discipline: 'designer',
    type: 'designer_task',
    group: 'Designer tasks',
    needs: ['designer_task_list', 'designer_view_task'],
    page: '/designer-tasks',
  }),
]
