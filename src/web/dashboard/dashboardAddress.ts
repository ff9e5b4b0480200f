import { z } from 'zod'
import type { PlainDate } from '#shared/dates.ts'
import type { Product } from '#shared/products.ts'
import { recordId } from '#shared/schemas.ts'
import { periodId, periodOf, type Period, type PeriodId } from '#shared/trend.ts'
import { fromAddress } from '#web/list/address/fromAddress.ts'
import { useAddress } from '#web/list/address/useAddress.ts'
import { myProducts, product, useMyProducts, useProduct } from '#web/session.ts'
import { today, useToday } from '#web/time.ts'

const DashboardAddress = z.object({
  /** Only the cards of one area. */
  view: z.enum(['crm', 'cms']).optional(),
  product: recordId.optional(),
  period: periodId,
})

/** Which dashboard it is, its product, and its period, as in its address. */
export const useDashboardAddress = () => useAddress(DashboardAddress)

/** Returns the period of the dashboard's numbers. */
export function usePeriod(): Period & { id: PeriodId } {
  const [{ period: id }] = useDashboardAddress()
  const today = useToday()
  return { id, ...periodOf(id, today) }
}

/** The product, the day, and the period for which the dashboard requests its numbers. */
export interface AskedNumbers {
  product: number | undefined
  today: PlainDate
  period: PeriodId
}

export function useAskedNumbers(): AskedNumbers {
  const [{ product: wanted, period }] = useDashboardAddress()
  const chosen = useProduct()
  return { product: offeredOf(wanted, useMyProducts()) ?? chosen, today: useToday(), period }
}

/** Returns for what the dashboard will request its numbers at an address. */
export function askedAt(search: Record<string, unknown>): AskedNumbers & { view: 'crm' | 'cms' | undefined } {
  const { view, product: wanted, period } = fromAddress(DashboardAddress, search)
  return { view, product: offeredOf(wanted, myProducts()) ?? product(), today: today(), period }
}

/** The product of the address, which is chosen only once the page is shown. */
const offeredOf = (wanted: number | undefined, products: readonly Product[]) =>
  products.find(({ id }) => id === wanted)?.id
