import IconCode from '@tabler/icons-react/dist/esm/icons/IconCode.mjs'
import IconPalette from '@tabler/icons-react/dist/esm/icons/IconPalette.mjs'
import { mayOpen } from '#shared/access.ts'
import { tasks, tasksPerPage } from '#features/tasks/tasks/contract.ts'
import {
  disciplineNames,
  disciplineOf,
  openStatuses,
  ownDate,
  statusName,
  type DisciplineName,
} from '#features/tasks/tasks/rules.ts'
import { queryTogether } from '#web/api/together.ts'
import { daySource } from '#web/dashboard/daySource.ts'
import type { Person } from '#web/session.ts'

const ownTasks = (viewer: Person) => ({
  assigned_to: viewer.id,
  status: openStatuses,
  column: ownDate(viewer.role_id),
  direction: 'asc' as const,
  per_page: tasksPerPage,
})

/** The query for the viewer's open development tasks, which My day makes, too. */
export const askOwnTasks = (viewer: Person) =>
  queryTogether(tasks.development.list, { body: ownTasks(viewer) })

/** The viewer's open tasks, by the due date that matters to their role. */
const tasksOf = (discipline: DisciplineName) => {
  const { names, pages, type } = disciplineOf(discipline)
  return daySource({
    name: names.list,
    icon: discipline === 'development' ? IconCode : IconPalette,
    endpoint: tasks[discipline].list,
    input: ({ viewer }) => [{ body: ownTasks(viewer) }],
    // /tasks shows both disciplines together to roles allowed to open it; no menu entry links to it.
    all: ({ role_id }) => ['/tasks', pages.list].find((path) => mayOpen(role_id, path)),
    read: ({ data, total }, { viewer }) => ({
      total,
      items: data.map(({ id, title, status, organization, [ownDate(viewer.role_id)]: day }) => ({
        key: `${type} ${id}`,
        title,
        detail: [`${names.one} #${id}`, statusName(status), ...organization.map(({ name }) => name)].join(
          ' · ',
        ),
        when: { day },
        opens: { task: id },
      })),
    }),
  })
}

export const tasksOfDay = disciplineNames.map(tasksOf)
