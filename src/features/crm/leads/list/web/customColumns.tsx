import type { LeadRow } from '#features/crm/leads/contract.ts'
import { customValueText, type CustomField } from '#features/crm/leads/custom-fields.rules.ts'
import { leadFields } from '#features/crm/leads/fields.ts'
import { fieldsOfProduct } from '#features/crm/leads/record/web/customValues.ts'
import { entryById, useLeadOptions } from '#features/crm/leads/record/web/LeadOptions.tsx'
import { Website } from '#features/crm/leads/record/web/Website.tsx'
import type { Column } from '#web/list/columns.ts'
import { useAllProducts, useScope } from '#web/shell/useScope.ts'

/**
 * Returns the definition of a list of leads with the columns of the product’s custom fields, which are hidden until the
 * user shows them; with all products, which have different fields, it has a column for the product instead.
 */
export function useLeadColumns<List extends { columns: readonly Column<LeadRow>[] }>(list: List): List {
  const { custom_fields, products } = useLeadOptions()
  const isAll = useAllProducts()
  const scope = useScope()
  const [first, ...others] = list.columns
  if (isAll) return { ...list, columns: [first!, productColumn(products), ...others] }
  const custom = scope === undefined ? [] : fieldsOfProduct(custom_fields, scope)
  return { ...list, columns: [...list.columns, ...custom.map(columnOf)] }
}

const productColumn = (products: readonly { id: number; name: string }[]): Column<LeadRow> => {
  const name = ({ lead_for }: LeadRow) => entryById(products, lead_for).name
  return { id: 'product', header: leadFields.lead_for.label, cell: name, title: name, width: 110 }
}

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
