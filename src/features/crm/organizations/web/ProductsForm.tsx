import { Checkbox } from '@mantine/core'
import { OrganizationChange, organizations, type Organization } from '#features/crm/organizations/contract.ts'
import { organizationFields } from '#features/crm/organizations/fields.ts'
import { useSend } from '#web/api/useSend.ts'
import { FormModal } from '#web/form/FormModal.tsx'
import { useDraftForm } from '#web/form/useDraftForm.ts'
import { useUndo } from '#web/record/useUndo.ts'
import { useMyProducts } from '#web/session.ts'

const refresh = [organizations.list, organizations.orgUser]
const toSend = ({ product_ids }: { product_ids: string[] }) => ({ product_ids: product_ids.map(Number) })

/**
 * Form for choosing which of the viewer's products an organization has; its other products stay unchanged.
 */
export default function ProductsForm({
  organization,
  onClose,
}: {
  organization: Organization
  onClose: () => void
}) {
  const id = organization.organization_id
  const products = useMyProducts()
  const { announceAct } = useUndo(refresh)
  const { send } = useSend(organizations.update, { refresh, failure: 'throw' })
  const form = useDraftForm({
    name: `organization-products-${id}`,
    initial: {
      product_ids: organization.product_ids
        .filter((one) => products.some((product) => product.id === one))
        .map(String),
    },
    schema: OrganizationChange,
    toSend,
    onSave: async (values) => {
      const reply = await send({ params: { id }, body: { ...toSend(values), version: organization.version } })
      if (reply) announceAct(reply.message, reply.operation)
    },
    onSaved: onClose,
  })
  return (
    <FormModal title={`Products for ${organization.name}`} form={form} onClose={onClose}>
      <Checkbox.Group
        label={organizationFields.product_ids.label}
        {...form.fields.getInputProps('product_ids')}
      >
        {products.map((product) => (
          <Checkbox key={product.id} value={String(product.id)} label={product.name} mt={6} />
        ))}
      </Checkbox.Group>
    </FormModal>
  )
}
