import { useQuery } from '@tanstack/react-query'
import { organizationNames } from '#shared/organizations.contract.ts'
import { queryOptionsFor } from '#web/api/client.ts'

/** Returns an organization's name; undefined until it has loaded, or if no organization has this ID. */
export const useOrganizationName = (id = 0): string | undefined =>
  useQuery({ ...queryOptionsFor(organizationNames, { query: { id } }), enabled: id > 0 }).data?.data[0]?.name
