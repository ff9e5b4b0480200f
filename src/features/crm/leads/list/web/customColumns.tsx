import { leadColumnValues } from '#features/crm/leads/columns.contract.ts'
import type { LeadRow } from '#features/crm/leads/contract.ts'
import { customValueText, type CustomField } from '#features/crm/leads/custom-fields.rules.ts'
import { leadFields } from '#features/crm/leads/fields.ts'
import { detailColumns, isMore } from '#features/crm/leads/list/web/moreColumns.tsx'
import { fieldsOfProduct } from '#features/crm/leads/record/web/customValues.ts'
import { entryById, useLeadOptions } from '#features/crm/leads/record/web/LeadOptions.tsx'
import { Website } from '#features/crm/leads/record/web/Website.tsx'
import { useMay } from '#web/api/useSend.ts'
import type { Column } from '#web/list/columns.ts'
import { useAllProducts, useScope } from '#web/shell/useScope.ts'

/**
 * Returns the definition of a list of leads with the columns of the product’s custom fields and imported details, which
 * are hidden until the user shows them; with all products, which have different fields, it has a column for the product
 * instead of those. Fields that only a whole lead has are left out for viewers who can’t see one.
 */
export function useLeadColumns<List extends { columns: readonly Column<LeadRow>[] }>(list: List): List {
  const { custom_fields, detail_labels, products } = useLeadOptions()
  const isAll = useAllProducts()
  const scope = useScope()
  const mayMore = useMay(leadColumnValues.list)
  const [first, ...others] = mayMore ? list.columns : list.columns.filter((column) => !isMore(column))
  const ofScope = detail_labels.filter(({ product_id }) => isAll || product_id === scope)
  const details = mayMore ? detailColumns(ofScope.map(({ label }) => label)) : []
  if (isAll) return { ...list, columns: [first!, productColumn(products), ...others, ...details] }
  const custom = scope === undefined ? [] : fieldsOfProduct(custom_fields, scope)
  return { ...list, columns: [first!, ...others, ...custom.map(columnOf), ...details] }
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
