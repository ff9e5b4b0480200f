import { useQuery } from '@tanstack/react-query'
import { leadNumbers } from '#features/crm/leads/numbers/contract.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'
import { usePeriod } from '#web/dashboard/dashboardAddress.ts'
import { useChanged } from '#web/live.ts'
import { useMyProducts, useProduct } from '#web/session.ts'
import { useToday } from '#web/time.ts'

/** Fetches the lead statistics of the chosen product and period, for viewers who are allowed to list leads. */
export function useLeadNumbers() {
  const period = usePeriod()
  const asked = { query: { lead_for: useProduct(), today: useToday(), period: period.id } }
  const may = useMay(leadNumbers.show, asked)
  const query = useQuery(queryOptionsFor(leadNumbers.show, asked))
  useChanged('leads', may ? [leadNumbers.show] : [])
  return { may, query, period }
}

/** Returns the name of the chosen product. */
export function useProductName(): string | undefined {
  const product = useProduct()
  return useMyProducts().find(({ id }) => id === product)?.name
}
