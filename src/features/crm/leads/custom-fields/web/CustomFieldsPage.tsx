import { useQuery } from '@tanstack/react-query'
import { customFields } from '#features/crm/leads/custom-fields/contract.ts'
import { CustomFieldList } from '#features/crm/leads/custom-fields/web/CustomFieldList.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'
import { Loaded } from '#web/list/states.tsx'
import { ProductSettings } from '#web/shell/ProductSettings.tsx'

/** The custom fields of leads, per product: their names, types, choices, and order. */
export function CustomFieldsPage() {
  return (
    <ProductSettings may={useMay(customFields.show)} what="custom fields">
      {({ id, name }) => <FieldsOfProduct key={id} product_id={id} product={name} />}
    </ProductSettings>
  )
}

function FieldsOfProduct({ product_id, product }: { product_id: number; product: string }) {
  const query = useQuery(queryOptionsFor(customFields.show, { params: { product_id } }))
  return (
    <Loaded query={query}>
      {({ data, leads }) => (
        <CustomFieldList product_id={product_id} product={product} fields={data} leads={leads} />
      )}
    </Loaded>
  )
}
