import { useQuery } from '@tanstack/react-query'
import { longestName } from '#features/crm/leads/custom-fields.rules.ts'
import CustomFieldForm from '#features/crm/leads/custom-fields/web/CustomFieldForm.tsx'
import { leadImports } from '#features/crm/leads/import/contract.ts'
import type { FieldColumn } from '#features/crm/leads/import/web/MakeField.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { LoadedInModal } from '#web/form/LoadedInModal.tsx'

/** Form for the custom field that the column proposes by its values. */
export default function FieldOfColumn({
  id,
  position,
  header,
  product_id,
  onCreated,
  onClose,
}: FieldColumn & { onClose: () => void }) {
  const column = position + 1
  const query = useQuery(queryOptionsFor(leadImports.proposedField, { params: { id, column } }))
  return (
    <LoadedInModal query={query} title="New field" onClose={onClose}>
      {({ data }) => (
        <CustomFieldForm
          product_id={product_id}
          proposed={{
            ...data,
            name: header.slice(0, longestName),
            draft: `custom-field-of-${product_id}-import-${id}-${column}`,
          }}
          onCreated={onCreated}
          onClose={onClose}
        />
      )}
    </LoadedInModal>
  )
}
