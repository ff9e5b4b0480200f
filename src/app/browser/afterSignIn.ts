import { teams } from '#features/admin/teams/contract.ts'
import { users } from '#features/crm/users/contract.ts'
import { queryOptionsFor, isAllowed } from '#web/api/client.ts'
import { queries } from '#web/api/queries.ts'

/**
 * Loads data needed after sign-in that the sign-in response does not include (A §4): teams and, if the user
 * is allowed to see them, master users.
 */
export async function loadAfterSignIn(): Promise<void> {
  await queries.prefetchQuery({ ...queryOptionsFor(teams.all), staleTime: Infinity })
  if (isAllowed(users.masters, {})) await queries.prefetchQuery(queryOptionsFor(users.masters, { query: {} }))
}
