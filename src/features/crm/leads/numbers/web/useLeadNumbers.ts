import { useQuery } from '@tanstack/react-query'
import { leadNumbers } from '#features/crm/leads/numbers/contract.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'
import { useAskedNumbers, usePeriod, type AskedNumbers } from '#web/dashboard/dashboardAddress.ts'
import { useMyProducts, useProduct } from '#web/session.ts'

export const askLeadNumbers = ({ product, today, period }: AskedNumbers) =>
  queryOptionsFor(leadNumbers.show, { query: { lead_for: product, today, period } })

/** Fetches the lead statistics of the chosen product and period, for viewers who are allowed to list leads. */
export function useLeadNumbers() {
  const period = usePeriod()
  const asked = useAskedNumbers()
  const may = useMay(leadNumbers.show, { query: { lead_for: asked.product } })
  const query = useQuery(askLeadNumbers(asked))
  return { may, query, period }
}

/** Returns the name of the chosen product. */
export function useProductName(): string | undefined {
  const product = useProduct()
  return useMyProducts().find(({ id }) => id === product)?.name
}
