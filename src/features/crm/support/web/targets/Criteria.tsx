import { NativeSelect } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import IconArrowUp from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { asChoices, useLists } from '#web/filter/useOptions.ts'
import { OrganizationChoice } from '#web/form/OrganizationField.tsx'
import { IconButton } from '#web/parts/controls.tsx'

/* Parts of the rows of a list whose first row that fits a ticket applies. */

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
  <td>
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
  </td>
)
