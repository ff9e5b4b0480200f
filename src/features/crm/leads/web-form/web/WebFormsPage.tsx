import { Suspense } from 'react'
import { useQuery } from '@tanstack/react-query'
import { webForms } from '#features/crm/leads/web-form/contract.ts'
import { HeldEntries } from '#features/crm/leads/web-form/web/HeldEntries.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'
import { Loaded, LoadingState } from '#web/list/states.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'
import { ProductSettings } from '#web/shell/ProductSettings.tsx'

/** With the fields of a form and its preview, which the page doesn't wait for. */
const WebFormEditor = lazyPart(
  () => import('#features/crm/leads/web-form/web/WebFormEditor.tsx'),
  'WebFormEditor',
)

/** The web forms, one per product, with their fields, their page, and the people who get the leads. */
export function WebFormsPage() {
  return (
    <ProductSettings may={useMay(webForms.show)} what="web forms">
      {({ id }) => <FormOfProduct key={id} product_id={id} />}
    </ProductSettings>
  )
}

function FormOfProduct({ product_id }: { product_id: number }) {
  const query = useQuery(queryOptionsFor(webForms.show, { params: { product_id } }))
  return (
    <Loaded query={query}>
      {({ data }) => (
        <Suspense fallback={<LoadingState rows={8} />}>
          <WebFormEditor key={data.version} product_id={product_id} stored={data} />
          {data.version > 0 && <HeldEntries product_id={product_id} />}
        </Suspense>
      )}
    </Loaded>
  )
}
