import { useEffect, useEffectEvent } from 'react'
import { periodNames } from '#shared/trend.ts'
import { useDashboardAddress } from '#web/dashboard/dashboardAddress.ts'
import { Select } from '#web/parts/controls.tsx'
import { product, storeProduct, useMyProducts, useProduct } from '#web/session.ts'

const periods = Object.entries(periodNames)

/** Choices of the product and the period of the dashboard's numbers, both of which are in the address. */
export function DashboardChoices() {
  const products = useMyProducts()
  const chosen = useProduct()
  const [{ product: wanted, period }, change] = useDashboardAddress()

  // The lists that the numbers open show the chosen product, so it is chosen along with the address.
  const chooseWanted = useEffectEvent((id: number | undefined) => {
    if (id !== undefined && id !== product() && products.some((one) => one.id === id)) storeProduct(id)
  })
  useEffect(() => chooseWanted(wanted), [wanted])
  const followChosen = useEffectEvent((id: number | undefined) => {
    if (wanted !== undefined && wanted !== id && id === product())
      void change({ product: id }, { replace: true })
  })
  useEffect(() => followChosen(chosen), [chosen])

  return (
    <>
      {products.length > 1 && (
        <Select
          label="Product"
          value={String(chosen)}
          options={products.map(({ id, name }) => [String(id), name])}
          onChoose={(id) => void change({ product: Number(id) })}
        />
      )}
      <Select
        label="Period"
        value={period}
        options={periods}
        onChoose={(id) => void change({ period: id as typeof period })}
      />
    </>
  )
}
