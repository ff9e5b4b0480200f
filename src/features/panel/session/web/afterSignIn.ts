import { teams } from '#features/admin/teams/contract.ts'
import { ask } from '#web/api/client.ts'
import { queries } from '#web/api/queries.ts'

/** What a login loads besides its own answer (A §4): the teams. Master users come with the users area. */
export async function loadAfterSignIn(): Promise<void> {
  await queries.prefetchQuery({ ...ask(teams.all), staleTime: Infinity })
}
