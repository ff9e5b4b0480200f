import { useQuery } from '@tanstack/react-query'
import type { Option } from '#shared/options.contract.ts'
import { desk } from '#features/crm/support/desk.contract.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'

const staleMs = 60_000
const none: readonly Option[] = []

/** Returns the admin users who can be assigned tickets; empty until loaded, and for viewers who can't assign any. */
export function useAssignable(): readonly Option[] {
  const may = useMay(desk.assignable, {})
  const { data } = useQuery({ ...queryOptionsFor(desk.assignable), staleTime: staleMs, enabled: may })
  return data?.data ?? none
}
