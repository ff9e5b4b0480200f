import { useQuery } from '@tanstack/react-query'
import { mayOpen } from '#shared/access.ts'
import { organizationNumbers } from '#features/crm/organizations/numbers.contract.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'
import { useAskedNumbers, usePeriod, type AskedNumbers } from '#web/dashboard/dashboardAddress.ts'
import { useViewer } from '#web/session.ts'

export const organizationList = '/organizations/all-organizations'

export const askOrganizationNumbers = ({ today, period }: AskedNumbers) =>
  queryOptionsFor(organizationNumbers.show, { query: { today, period } })

/** Fetches the statistics of organizations, for viewers who can list them. */
export function useOrganizationNumbers() {
  const viewer = useViewer()
  const may = useMay(organizationNumbers.show, { query: {} })
  const query = useQuery(askOrganizationNumbers(useAskedNumbers()))
  return {
    may,
    query,
    period: usePeriod(),
    hasList: viewer !== undefined && mayOpen(viewer.role_id, organizationList),
  }
}
