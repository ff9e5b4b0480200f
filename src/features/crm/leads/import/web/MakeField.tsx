import { Suspense, useState } from 'react'
import { Button } from '@mantine/core'
import { customFields } from '#features/crm/leads/custom-fields/contract.ts'
import { mostCustomFields } from '#features/crm/leads/custom-fields.rules.ts'
import { useMay } from '#web/api/useSend.ts'
import { Soft } from '#web/parts/Soft.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'

/** Its dialog is needed only after a click. */
const FieldOfColumn = lazyPart(() => import('#features/crm/leads/import/web/FieldOfColumn.tsx'))

export interface FieldColumn {
  /** The ID of the import. */
  id: number
  /** The position of the column; the first one is 0. */
  position: number
  header: string
  product_id: number
  /** How many custom fields the product has. */
  count: number
  onCreated: (field: number) => void
}

/** Button that makes a custom field of a column, for those who can add one. */
export function MakeField(props: FieldColumn) {
  const { header, product_id, count } = props
  const [isOpen, setOpen] = useState(false)
  const mayAdd = useMay(customFields.add, {
    params: { product_id },
    body: { name: header, type: 'text', choices: [] },
  })
  if (!mayAdd) return null
  const isFull = count >= mostCustomFields
  return (
    <>
      <Button
        variant="subtle"
        size="compact-xs"
        mt={4}
        aria-label={`Make a field of ${header}`}
        disabled={isFull}
        onClick={() => setOpen(true)}
      >
        Make a field
      </Button>
      {isFull && <Soft small>A product can have up to {mostCustomFields} custom fields.</Soft>}
      {isOpen && (
        <Suspense>
          <FieldOfColumn {...props} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
