import { Button } from '@mantine/core'
import { customFields, type StoredCustomField } from '#features/crm/leads/custom-fields/contract.ts'
import { customFieldTypes } from '#features/crm/leads/custom-fields.rules.ts'
import classes from '#features/crm/leads/custom-fields/web/customFields.module.css'
import { toastOf } from '#features/crm/leads/custom-fields/web/fieldChanges.ts'
import { dayText } from '#shared/dates.ts'
import { useSend } from '#web/api/useSend.ts'
import { Soft } from '#web/parts/Soft.tsx'

/** Fields that were deleted and can be restored. */
export function DeletedFields({ fields }: { fields: readonly StoredCustomField[] }) {
  const { send, sending } = useSend(customFields.restore)
  if (fields.length === 0) return null
  return (
    <section className={classes.panel} aria-label="Deleted fields">
      <header>
        <h2>Deleted fields</h2>
        <Soft as="span" small>
          Restore a field to get its values back.
        </Soft>
      </header>
      <ul className={classes.deleted}>
        {fields.map(({ id, product_id, name, type, kept_until }) => (
          <li key={id}>
            <span className={classes.name}>{name}</span>
            <Soft as="span" small>
              {customFieldTypes[type]}, kept until {dayText(kept_until!.slice(0, 10))}
            </Soft>
            <Button
              size="xs"
              variant="default"
              aria-label={`Restore ${name}`}
              loading={sending}
              onClick={() => void send({ params: { product_id, id } }).then((reply) => toastOf(reply))}
            >
              Restore
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
