import type { ReactNode } from 'react'
import { NativeSelect } from '@mantine/core'
import { z } from 'zod'
import type { Product } from '#shared/products.ts'
import { recordId } from '#shared/schemas.ts'
import { useAddress } from '#web/list/address/useAddress.ts'
import { PageHeader } from '#web/parts/PageHeader.tsx'
import { useMyProducts } from '#web/session.ts'
import { SettingsTabs } from '#web/shell/SettingsTabs.tsx'
import { NoAccess } from '#web/states/NoAccess.tsx'

const Chosen = z.object({ product: recordId.optional() })

interface Props {
  /** Whether the viewer can see the settings. */
  may: boolean
  /** Names the settings, such as `web forms`. */
  what: string
  children: (product: Product) => ReactNode
}

/** Page with settings of one product at a time, which the viewer chooses; it is in the address. */
export function ProductSettings({ may, what, children }: Props) {
  const products = useMyProducts()
  const [chosen, choose] = useAddress(Chosen)
  const product = products.find(({ id }) => id === chosen.product) ?? products[0]
  if (!may || !product)
    return (
      <>
        <PageHeader />
        <NoAccess>
          {may
            ? 'You have no product. Ask a Super Admin to assign one to you.'
            : `Only Super Admins and Admins can see and change ${what}.`}
        </NoAccess>
      </>
    )
  return (
    <>
      <PageHeader />
      <SettingsTabs />
      <NativeSelect
        label="Product"
        maw={260}
        my={12}
        value={String(product.id)}
        data={products.map(({ id, name }) => ({ value: String(id), label: name }))}
        onChange={(event) => void choose({ product: Number(event.currentTarget.value) })}
      />
      {children(product)}
    </>
  )
}
