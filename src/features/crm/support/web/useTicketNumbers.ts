import { useQuery } from '@tanstack/react-query'
import { mayOpen } from '#shared/access.ts'
import { ticketNumbers } from '#features/crm/support/numbers.contract.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { toQueryString } from '#web/api/query-string.ts'
import { useMay } from '#web/api/useSend.ts'
import { useAskedNumbers, usePeriod, type AskedNumbers } from '#web/dashboard/dashboardAddress.ts'
import { useViewer } from '#web/session.ts'

/** Address of the list of tickets with these filters. */
export const ticketList = (filters: object): string => `/support?${toQueryString({ ...filters })}`

export const askTicketNumbers = ({ today, period }: AskedNumbers) =>
  queryOptionsFor(ticketNumbers.show, { query: { today, period } })

/** Fetches the ticket statistics, for viewers who can open the list of tickets. */
export function useTicketNumbers() {
  const viewer = useViewer()
  const period = usePeriod()
  const may =
    useMay(ticketNumbers.show, { query: {} }) && viewer !== undefined && mayOpen(viewer.role_id, '/support')
  const query = useQuery({ ...askTicketNumbers(useAskedNumbers()), enabled: may })
  return { may, query, period }
}
