import { useQuery } from '@tanstack/react-query'
import { can, mayOpen } from '#shared/access.ts'
import { taskNumbers } from '#features/tasks/tasks/numbers.contract.ts'
import { disciplineNames, disciplineOf, type DisciplineName } from '#features/tasks/tasks/rules.ts'
import { workload } from '#features/tasks/tasks/workload.contract.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { toQueryString } from '#web/api/query-string.ts'
import { useAskedNumbers, usePeriod, type AskedNumbers } from '#web/dashboard/dashboardAddress.ts'
import { useViewer, type Person } from '#web/session.ts'

/** Returns the page with the tasks of a discipline that the viewer can open; undefined if there is none. */
function pageFor(viewer: Person | undefined, name: DisciplineName, product: number | undefined) {
  const { list, pages, products } = disciplineOf(name)
  if (!viewer || !can(viewer, list) || product === undefined || !products.includes(product)) return undefined
  return [pages.list, pages.all].find((path) => mayOpen(viewer.role_id, path))
}

/** Returns the first discipline whose list the viewer can open. */
export const disciplineFor = (viewer: Person | undefined, product: number | undefined) =>
  disciplineNames.find((name) => pageFor(viewer, name, product) !== undefined)

export const askTaskNumbers = (discipline: DisciplineName, { product, today, period }: AskedNumbers) =>
  queryOptionsFor(taskNumbers[discipline], { query: { product_id: product, today, period } })

export const askWorkload = ({ product, today }: AskedNumbers) =>
  queryOptionsFor(workload.show, { query: { product_id: product, today } })

/** Fetches the task statistics of the first discipline whose list the viewer can open. */
export function useTaskNumbers() {
  const viewer = useViewer()
  const asked = useAskedNumbers()
  const found = disciplineFor(viewer, asked.product)
  const discipline = found ?? 'development'
  const query = useQuery({
    ...askTaskNumbers(discipline, asked),
    enabled: found !== undefined,
  })
  const addressOf = (filters: object) =>
    `${pageFor(viewer, discipline, asked.product)}?${toQueryString({ ...filters })}`
  return { may: found !== undefined, viewer, query, period: usePeriod(), addressOf }
}
