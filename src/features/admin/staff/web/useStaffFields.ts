import { useQuery } from '@tanstack/react-query'
import { teams } from '#features/admin/teams/contract.ts'
import { staffFields } from '#features/panel/session/fields.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { fromLists } from '#web/api/queries.ts'
import { byId, withWords, type RecordFields } from '#web/record/fieldWords.ts'
import { useMyProducts } from '#web/session.ts'

/** Returns the fields of an admin user, with the names of products and teams. */
export function useStaffFields(): RecordFields {
  const everyTeam = useQuery({ ...queryOptionsFor(teams.all), meta: fromLists }).data?.data ?? []
  return withWords(staffFields, { product_ids: byId(useMyProducts()), team_ids: byId(everyTeam) })
}
