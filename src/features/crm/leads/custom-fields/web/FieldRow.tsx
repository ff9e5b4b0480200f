import { customFields, type StoredCustomField } from '#features/crm/leads/custom-fields/contract.ts'
import { customFieldTypes, daysKept } from '#features/crm/leads/custom-fields.rules.ts'
import classes from '#features/crm/leads/custom-fields/web/customFields.module.css'
import { toastOf } from '#features/crm/leads/custom-fields/web/fieldChanges.ts'
import { useSend } from '#web/api/useSend.ts'
import { askToProceed } from '#web/message/messages.ts'
import { LinkButton } from '#web/parts/LinkButton.tsx'
import { MenuItem } from '#web/parts/Menu.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { countText } from '#web/time.ts'
import { MoreMenu } from '#web/sheet/MoreMenu.tsx'

interface Props {
  field: StoredCustomField
  /** How many leads the product has. */
  leads: number
  onEdit: () => void
}

/** A field: its name, type, choices, and how many leads have a value. */
export function FieldRow({ field, leads, onEdit }: Props) {
  const { name, type, choices, filled } = field
  return (
    <div className={classes.row}>
      <span className={classes.name}>
        <LinkButton onClick={onEdit}>{name}</LinkButton>
      </span>
      <Soft as="span">{customFieldTypes[type]}</Soft>
      <Soft as="span" className={classes.choices}>
        {choices
          .filter((one) => !one.is_removed)
          .map((one) => one.name)
          .join(', ')}
      </Soft>
      <span className={classes.filled}>
        {countText(filled)} of {countText(leads)}
      </span>
      <FieldMenu field={field} onEdit={onEdit} />
    </div>
  )
}

function FieldMenu({ field, onEdit }: Omit<Props, 'leads'>) {
  const remove = useRemoveField(field)
  return (
    <MoreMenu of={field.name}>
      <MenuItem onClick={onEdit}>Edit</MenuItem>
      <MenuItem onClick={() => void remove()}>Delete…</MenuItem>
    </MoreMenu>
  )
}

/** Returns the function that deletes a field after a question, which the toast can undo. */
function useRemoveField({ id, product_id, name, filled }: StoredCustomField) {
  const { send: remove } = useSend(customFields.remove)
  const { send: restore } = useSend(customFields.restore)
  const params = { product_id, id }
  return async () => {
    const has = filled === 1 ? '1 lead has a value.' : `${countText(filled)} leads have a value.`
    const detail = `${filled === 0 ? 'No lead has a value.' : has} It can be restored with its values for ${daysKept} days. Filters and saved views that use it say that it was deleted.`
    if (!(await askToProceed(`Delete “${name}”?`, { detail, proceedLabel: 'Delete field' }))) return
    toastOf(await remove({ params }), () => void restore({ params }).then((reply) => toastOf(reply)))
  }
}
