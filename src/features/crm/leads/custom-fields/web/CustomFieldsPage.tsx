import { useQuery } from '@tanstack/react-query'
import { z } from 'zod'
import { customFields } from '#features/crm/leads/custom-fields/contract.ts'
import { CustomFieldList } from '#features/crm/leads/custom-fields/web/CustomFieldList.tsx'
import classes from '#features/crm/leads/custom-fields/web/customFields.module.css'
import { recordId } from '#shared/schemas.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'
import { useAddress } from '#web/list/address/useAddress.ts'
import { Loaded } from '#web/list/states.tsx'
import { useChanged } from '#web/live.ts'
import { Select } from '#web/parts/controls.tsx'
import { PageHeader } from '#web/parts/PageHeader.tsx'
import { useMyProducts } from '#web/session.ts'
import { SettingsTabs } from '#web/shell/SettingsTabs.tsx'
import { NoAccess } from '#web/states/NoAccess.tsx'

const Chosen = z.object({ product: recordId.optional() })

/** The custom fields of leads, per product: their names, types, choices, and order. */
export function CustomFieldsPage() {
  const may = useMay(customFields.show)
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
            : 'Only Super Admins and Admins can see and change custom fields.'}
        </NoAccess>
      </>
    )
  return (
    <>
      <PageHeader />
      <SettingsTabs />
      <div className={classes.product}>
        <Select
          label="Product"
          value={String(product.id)}
          options={products.map(({ id, name }) => [String(id), name] as const)}
          onChoose={(id) => void choose({ product: Number(id) })}
        />
      </div>
      <FieldsOfProduct key={product.id} product_id={product.id} product={product.name} />
    </>
  )
}

function FieldsOfProduct({ product_id, product }: { product_id: number; product: string }) {
  const query = useQuery(queryOptionsFor(customFields.show, { params: { product_id } }))
  useChanged('lists', [customFields.show])
  return (
    <Loaded query={query}>
      {({ data, leads }) => (
        <CustomFieldList product_id={product_id} product={product} fields={data} leads={leads} />
      )}
    </Loaded>
  )
}
