import { teams } from '#features/admin/teams/contract.ts'
import { users } from '#features/crm/users/contract.ts'
import { ask, isAllowed } from '#web/api/client.ts'
import { queries } from '#web/api/queries.ts'

/** What a login loads besides its own answer (A §4): the teams, and the master users for who may see them. */
export async function loadAfterSignIn(): Promise<void> {
  await queries.prefetchQuery({ ...ask(teams.all), staleTime: Infinity })
  if (isAllowed(users.masters, {})) await queries.prefetchQuery(ask(users.masters, { query: {} }))
}
