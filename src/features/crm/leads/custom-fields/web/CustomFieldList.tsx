import { Suspense, useState } from 'react'
import { Button } from '@mantine/core'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { customFields, type StoredCustomField } from '#features/crm/leads/custom-fields/contract.ts'
import { mostCustomFields } from '#features/crm/leads/custom-fields.rules.ts'
import classes from '#features/crm/leads/custom-fields/web/customFields.module.css'
import { DeletedFields } from '#features/crm/leads/custom-fields/web/DeletedFields.tsx'
import { toastOf } from '#features/crm/leads/custom-fields/web/fieldChanges.ts'
import { FieldRow } from '#features/crm/leads/custom-fields/web/FieldRow.tsx'
import { patchCachedReplies, useSend } from '#web/api/useSend.ts'
import { OrderedList } from '#web/board/OrderedList.tsx'
import { EmptyState } from '#web/list/states.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'

const CustomFieldForm = lazyPart(() => import('#features/crm/leads/custom-fields/web/CustomFieldForm.tsx'))

interface Props {
  product_id: number
  product: string
  fields: readonly StoredCustomField[]
  /** How many leads the product has. */
  leads: number
}

/** The fields of a product’s leads in their order, and those that can be restored. */
export function CustomFieldList({ product_id, product, fields, leads }: Props) {
  const [editing, setEditing] = useState<StoredCustomField | 'new'>()
  const shown = fields.filter((one) => !one.is_deleted)
  const move = useMove(product_id, shown)
  const isFull = shown.length >= mostCustomFields
  const add = (
    <Button
      leftSection={<IconPlus size={16} aria-hidden />}
      disabled={isFull}
      title={isFull ? `A product can have up to ${mostCustomFields} custom fields.` : undefined}
      onClick={() => setEditing('new')}
    >
      New field
    </Button>
  )
  return (
    <>
      <section className={classes.panel} aria-label={`Leads of ${product}`}>
        <header>
          <h2>Leads of {product}</h2>
          <Soft as="span" small>
            {shown.length} of {mostCustomFields}
          </Soft>
          {add}
        </header>
        {shown.length === 0 ? (
          <EmptyState title="No custom fields yet">
            A custom field is on the page, in the form, and in the history of leads.
          </EmptyState>
        ) : (
          <>
            <FieldHeads />
            <OrderedList
              label={`Custom fields of ${product}`}
              entries={shown}
              keyOf={({ id }) => String(id)}
              nameOf={({ name }) => name}
              onMove={move}
            >
              {(field) => <FieldRow field={field} leads={leads} onEdit={() => setEditing(field)} />}
            </OrderedList>
          </>
        )}
      </section>
      <DeletedFields fields={fields.filter((one) => one.is_deleted)} />
      {editing && (
        <Suspense>
          <CustomFieldForm
            product_id={product_id}
            field={editing === 'new' ? undefined : editing}
            onClose={() => setEditing(undefined)}
          />
        </Suspense>
      )}
    </>
  )
}

const FieldHeads = () => (
  <div className={classes.heads} aria-hidden>
    <span>Field</span>
    <span>Type</span>
    <span>Choices</span>
    <span>Filled</span>
  </div>
)

/** Returns the function that moves a field before another one, which the toast can undo. */
function useMove(product_id: number, fields: readonly StoredCustomField[]) {
  const { send } = useSend(customFields.order, {
    optimisticUpdate: ({ body: { ids } }, queries) =>
      patchCachedReplies(queries, customFields.show, (reply) => ({
        ...reply,
        data: reply.data.toSorted((a, b) => placeOf(a, ids) - placeOf(b, ids)),
      })),
  })
  const save = async (ids: number[], undo?: () => void): Promise<boolean> =>
    toastOf(await send({ params: { product_id }, body: { ids } }), undo) !== undefined
  return (field: StoredCustomField, before: StoredCustomField | undefined): Promise<boolean> => {
    const ids = fields.map(({ id }) => id)
    const others = ids.filter((id) => id !== field.id)
    const at = before ? others.indexOf(before.id) : others.length
    return save(others.toSpliced(at, 0, field.id), () => void save(ids))
  }
}

/** Those of other products and deleted ones stay where they are. */
const placeOf = ({ id }: StoredCustomField, ids: readonly (string | number)[]) =>
  ids.map(Number).includes(id) ? ids.map(Number).indexOf(id) : ids.length
