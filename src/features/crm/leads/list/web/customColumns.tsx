import type { LeadRow } from '#features/crm/leads/contract.ts'
import { customValueText, type CustomField } from '#features/crm/leads/custom-fields.rules.ts'
import { fieldsOfProduct } from '#features/crm/leads/record/web/customValues.ts'
import { Website } from '#features/crm/leads/record/web/Website.tsx'
import type { Column } from '#web/list/columns.ts'

/**
 * Returns the definition of a list of leads with the columns of a product’s custom fields, which are hidden until the user
 * shows them.
 */
export const withCustomColumns = <List extends { columns: readonly Column<LeadRow>[] }>(
  list: List,
  fields: readonly CustomField[],
  product: number | undefined,
): List => ({
  ...list,
  columns: [
    ...list.columns,
    ...(product === undefined ? [] : fieldsOfProduct(fields, product).map(columnOf)),
  ],
})

function columnOf(field: CustomField): Column<LeadRow> {
  const text = ({ custom_values: { [field.id]: value } }: LeadRow) =>
    value === undefined ? '' : customValueText(field, value)
  return {
    id: `custom_${field.id}`,
    header: field.name,
    cell: field.type === 'link' ? (lead) => <Website address={text(lead)} /> : text,
    title: text,
    width: field.type === 'text' || field.type === 'link' ? 200 : 140,
    hiddenAtFirst: true,
    isCustom: true,
    ...((field.type === 'number' || field.type === 'date') && { align: 'right' }),
  }
}
