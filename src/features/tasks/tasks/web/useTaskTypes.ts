import { useQuery } from '@tanstack/react-query'
import { teams } from '#features/admin/teams/contract.ts'
import { queryOptionsFor } from '#web/api/client.ts'

const staleMs = 60_000

/** Returns the task types; undefined until loaded. They are requested only if `enabled`. */
export function useTaskTypes(enabled = true) {
  return useQuery({ ...queryOptionsFor(teams.types), staleTime: staleMs, enabled }).data?.data
}
