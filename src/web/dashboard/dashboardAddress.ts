import { z } from 'zod'
import { recordId } from '#shared/schemas.ts'
import { periodId, periodOf, type Period, type PeriodId } from '#shared/trend.ts'
import { useAddress } from '#web/list/address/useAddress.ts'
import { useToday } from '#web/time.ts'

const DashboardAddress = z.object({ product: recordId.optional(), period: periodId })

/** The product and the period of the dashboard, as in its address. */
export const useDashboardAddress = () => useAddress(DashboardAddress)

/** Returns the period of the dashboard's numbers. */
export function usePeriod(): Period & { id: PeriodId } {
  const [{ period: id }] = useDashboardAddress()
  const today = useToday()
  return { id, ...periodOf(id, today) }
}
