import { useQuery } from '@tanstack/react-query'
import { NativeSelect } from '@mantine/core'
import { z } from 'zod'
import { webForms } from '#features/crm/leads/web-form/contract.ts'
import classes from '#features/crm/leads/web-form/web/webForm.module.css'
import { HeldEntries } from '#features/crm/leads/web-form/web/HeldEntries.tsx'
import { WebFormEditor } from '#features/crm/leads/web-form/web/WebFormEditor.tsx'
import { recordId } from '#shared/schemas.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'
import { useAddress } from '#web/list/address/useAddress.ts'
import { Loaded } from '#web/list/states.tsx'
import { useChanged } from '#web/live.ts'
import { PageHeader } from '#web/parts/PageHeader.tsx'
import { useMyProducts } from '#web/session.ts'
import { SettingsTabs } from '#web/shell/SettingsTabs.tsx'
import { NoAccess } from '#web/states/NoAccess.tsx'

const Chosen = z.object({ product: recordId.optional() })

/** The web forms, one per product, with their fields, their page, and the people who get the leads. */
export function WebFormsPage() {
  const may = useMay(webForms.show)
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
            : 'Only Super Admins and Admins can see and change web forms.'}
        </NoAccess>
      </>
    )
  return (
    <>
      <PageHeader />
      <SettingsTabs />
      <NativeSelect
        className={classes.product}
        label="Product"
        value={String(product.id)}
        data={products.map(({ id, name }) => ({ value: String(id), label: name }))}
        onChange={(event) => void choose({ product: Number(event.currentTarget.value) })}
      />
      <FormOfProduct key={product.id} product_id={product.id} />
    </>
  )
}

function FormOfProduct({ product_id }: { product_id: number }) {
  const query = useQuery(queryOptionsFor(webForms.show, { params: { product_id } }))
  useChanged('web-forms', [webForms.show, webForms.held])
  return (
    <Loaded query={query}>
      {({ data }) => (
        <>
          <WebFormEditor key={data.version} product_id={product_id} stored={data} />
          {data.version > 0 && <HeldEntries product_id={product_id} />}
        </>
      )}
    </Loaded>
  )
}
