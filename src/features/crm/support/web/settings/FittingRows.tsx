import type { ReactNode } from 'react'
import { Button, NativeSelect } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import IconArrowUp from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import classes from '#features/crm/support/web/settings/settings.module.css'
import { asChoices, useLists } from '#web/filter/useOptions.ts'
import { OrganizationChoice } from '#web/form/OrganizationField.tsx'
import { IconButton } from '#web/parts/controls.tsx'
import { Soft } from '#web/parts/Soft.tsx'

/* A list whose first row that fits a ticket applies. */

interface TableProps {
  id: string
  title: string
  about: string
  /** Shown instead of the table if there are no rows. */
  empty?: ReactNode
  heads: readonly string[]
  rows: readonly ReactNode[]
  /** Label of the button that adds a row. */
  add: string
  mostRows: number
  onAdd: () => void
}

/** A card with the rows in their order, and a button for another one. */
export const FittingRows = ({ id, title, about, empty, heads, rows, add, mostRows, onAdd }: TableProps) => (
  <section className={classes.card} aria-labelledby={id}>
    <h2 id={id}>{title}</h2>
    <Soft as="p">{about}</Soft>
    {rows.length === 0 ? (
      empty
    ) : (
      <div className={classes.scroll}>
        <table>
          <thead>
            <tr>
              {heads.map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
              <td />
            </tr>
          </thead>
          <tbody>{rows}</tbody>
        </table>
      </div>
    )}
    <Button variant="default" size="xs" disabled={rows.length >= mostRows} onClick={onAdd}>
      {add}
    </Button>
  </section>
)

const anyOrganization = [{ value: '', label: 'Any' }]

interface CriteriaProps {
  /** Returns the props of the input of a field of the row. */
  at: (field: string) => ReturnType<UseFormReturnType<object>['getInputProps']>
  /** ID of the chosen organization; empty for any. */
  organization: string
  /** Name of the row after a field, such as `of target 1`. */
  ofRow: string
}

/** The category and the organization that a ticket must have to fit the row. */
export function CriteriaCells({ at, organization, ofRow }: CriteriaProps) {
  const { ticket_categories } = useLists('ticket_categories')
  return (
    <>
      <td>
        <NativeSelect
          aria-label={`Category ${ofRow}`}
          data={asChoices(ticket_categories, 'Any')}
          {...at('category')}
        />
      </td>
      <td>
        <OrganizationChoice
          aria-label={`Organization ${ofRow}`}
          fixed={anyOrganization}
          {...at('organization_id')}
          value={organization}
        />
      </td>
    </>
  )
}

interface ButtonsProps {
  /** Name of the row, such as `target 1`. */
  name: string
  isFirst: boolean
  onUp: () => void
  onRemove: () => void
}

/** The buttons that move a row up and remove it. */
export const RowButtons = ({ name, isFirst, onUp, onRemove }: ButtonsProps) => (
  <>
    <IconButton
      bare
      label={`Move ${name} up`}
      aria-disabled={isFirst}
      onClick={() => {
        if (!isFirst) onUp()
      }}
    >
      <IconArrowUp size={15} aria-hidden />
    </IconButton>
    <IconButton bare label={`Remove ${name}`} onClick={onRemove}>
      <IconX size={15} aria-hidden />
    </IconButton>
  </>
)
