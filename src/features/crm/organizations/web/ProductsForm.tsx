import type { Fields } from '#shared/field.ts'
import { OrganizationChange, organizations, type Organization } from '#features/crm/organizations/contract.ts'
import { organizationFields } from '#features/crm/organizations/fields.ts'
import { useSend } from '#web/api/useSend.ts'
import { Field } from '#web/form/Field.tsx'
import { FormModal } from '#web/form/FormModal.tsx'
import { useFieldsForm } from '#web/form/useFieldsForm.ts'
import { asChoices } from '#web/filter/useOptions.ts'
import { useUndo } from '#web/record/useUndo.ts'
import { useMyProducts } from '#web/session.ts'

const productFields = {
  product_ids: { ...organizationFields.product_ids, empty: [] as string[] },
} as const satisfies Fields

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
  const { announceAct } = useUndo()
  const { send } = useSend(organizations.update, { failure: 'throw' })
  const form = useFieldsForm({
    name: `organization-products-${id}`,
    fields: productFields,
    initial: {
      product_ids: organization.product_ids
        .filter((one) => products.some((product) => product.id === one))
        .map(String),
    },
    schema: OrganizationChange,
    onSave: async (sent) => {
      const reply = await send({ params: { id }, body: { ...sent, version: organization.version } })
      if (reply) announceAct(reply.message, reply.operation)
    },
    onSaved: onClose,
  })
  return (
    <FormModal title={`Products for ${organization.name}`} form={form} onClose={onClose}>
      <Field form={form} name="product_ids" options={asChoices(products)} />
    </FormModal>
  )
}
