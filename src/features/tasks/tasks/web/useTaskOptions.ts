import { useQuery } from '@tanstack/react-query'
import { anyTask } from '#features/tasks/tasks/contract.ts'
import { teams } from '#features/admin/teams/contract.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { fromLists } from '#web/api/queries.ts'

const staleMs = 60_000
const none: readonly { id: number; name: string }[] = []

/** Returns the people, organizations, and types available for a product's tasks; empty until loaded. */
export function useTaskOptions(product_id: number | undefined) {
  const asked = queryOptionsFor(anyTask.options, { query: { product_id: product_id ?? 0 } })
  const options = useQuery({
    ...asked,
    enabled: () => product_id !== undefined && asked.enabled(),
    staleTime: staleMs,
    meta: fromLists,
  })
  return {
    people: options.data?.people ?? none,
    organizations: options.data?.organizations ?? none,
    types: options.data?.types ?? none,
  }
}

/** Returns the task types; undefined until loaded. */
export function useTaskTypes() {
  return useQuery({ ...queryOptionsFor(teams.types), staleTime: staleMs, meta: fromLists }).data?.data
}
