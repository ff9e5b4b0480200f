import { useQuery } from '@tanstack/react-query'
import { nameInChoice, type Away } from '#shared/away.contract.ts'
import type { Option } from '#shared/options.contract.ts'
import { desk } from '#features/crm/support/desk.contract.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'

const staleMs = 60_000

interface Assignable extends Option {
  away: Away | null
}
const none: readonly Assignable[] = []

/** Returns the admin users who can be assigned tickets; empty until loaded, and for viewers who can't assign any. */
export function useAssignable(): readonly Assignable[] {
  const may = useMay(desk.assignable, {})
  const { data } = useQuery({ ...queryOptionsFor(desk.assignable), staleTime: staleMs, enabled: may })
  return data?.data ?? none
}

/** Returns them as choices of an assignee, in which those who are away are marked. */
export const useAssignees = (): readonly Option[] =>
  useAssignable().map((person) => ({ id: person.id, name: nameInChoice(person) }))
