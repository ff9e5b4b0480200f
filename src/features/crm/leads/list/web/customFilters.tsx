import type { LeadGroup, LeadOptions } from '#features/crm/leads/contract.ts'
import type { CustomField } from '#features/crm/leads/custom-fields.rules.ts'
import {
  readCustomFilter,
  writeCustomFilter,
  type CustomCondition,
} from '#features/crm/leads/custom-filters.rules.ts'
import { fieldsOfProduct } from '#features/crm/leads/record/web/customValues.ts'
import { rangeText } from '#web/dates/DateRangeField.tsx'
import { BoxField } from '#web/filter/BoxField.tsx'
import type { Filter } from '#web/filter/filters.tsx'
import { Select } from '#web/parts/controls.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'

const CustomFilterPopup = lazyPart(() => import('#features/crm/leads/list/web/CustomFilterPopup.tsx'))

type LeadFilter = Filter<LeadGroup>

/** Returns the conditions on a field. */
const conditionsOn = ({ custom_filter = [] }: Pick<LeadGroup, 'custom_filter'>, field: number) =>
  custom_filter.flatMap((text) => {
    const read = readCustomFilter(text)
    return read?.field === field ? [read.condition] : []
  })

/** Returns the change of the filters that replaces the conditions on a field; undefined removes them. */
function changeOf(
  { custom_filter = [] }: Pick<LeadGroup, 'custom_filter'>,
  field: number,
  condition: CustomCondition | undefined,
): Pick<LeadGroup, 'custom_filter'> {
  const others = custom_filter.filter((text) => readCustomFilter(text)?.field !== field)
  const all = condition ? [...others, writeCustomFilter(field, condition)] : others
  return { custom_filter: all.length > 0 ? all : undefined }
}

function conditionText(condition: CustomCondition, { choices }: Pick<CustomField, 'choices'>): string {
  switch (condition.kind) {
    case 'empty':
      return 'empty'
    case 'filled':
      return 'not empty'
    case 'choice':
      return `${condition.isNot ? 'not ' : ''}${condition.ids
        .map((id) => choices.find((one) => one.id === id)?.name ?? `#${id}`)
        .join(' or ')}`
    case 'yes_no':
      return condition.yes ? 'Yes' : 'No'
    case 'text':
      return `contains “${condition.text}”`
    case 'date':
      return rangeText(condition.from, condition.to)
    case 'number': {
      const [from, to] = [condition.from, condition.to].map((end) =>
        end?.toLocaleString('en-US', { maximumFractionDigits: 6 }),
      )
      return from === undefined ? `up to ${to}` : to === undefined ? `from ${from}` : `${from} – ${to}`
    }
  }
}

/**
 * Builds the filters by the custom fields of the product that the list shows. A field that the filters name and the
 * product doesn’t have, such as a deleted one, has a chip, which says so, and no control.
 */
export function customFilters(
  { custom_fields, products }: Pick<LeadOptions, 'custom_fields' | 'products'>,
  now: Pick<LeadGroup, 'custom_filter'>,
  product: number | undefined,
): readonly LeadFilter[] {
  const own = product === undefined ? [] : fieldsOfProduct(custom_fields, product)
  const named = (now.custom_filter ?? []).flatMap((text) => readCustomFilter(text)?.field ?? [])
  const others = [...new Set(named)].filter((id) => !own.some((field) => field.id === id))
  return [
    ...own.map((field) =>
      filterBy(field, field.name, (filters, onChange) => (
        <CustomControl
          field={field}
          conditions={conditionsOn(filters, field.id)}
          onChange={(condition) => onChange(changeOf(filters, field.id, condition))}
        />
      )),
    ),
    ...others.map((id) => {
      const field = custom_fields.find((one) => one.id === id)
      const ofProduct = products.find((one) => one.id === field?.product_id)?.name
      const name = !field
        ? `Unknown field #${id}`
        : field.is_deleted
          ? `${field.name} (deleted field)`
          : `${field.name} (${ofProduct ?? `product #${field.product_id}`})`
      return { ...filterBy(field ?? { id, choices: [] }, name, () => null), name: undefined }
    }),
  ]
}

const filterBy = (
  field: Pick<CustomField, 'id' | 'choices'>,
  name: string,
  control: LeadFilter['control'],
): LeadFilter => ({
  id: `custom_${field.id}`,
  more: true,
  name,
  control,
  says: (filters) => {
    const conditions = conditionsOn(filters, field.id)
    if (conditions.length === 0) return undefined
    return `${name}: ${conditions.map((one) => conditionText(one, field)).join(' and ')}`
  },
  cleared: (filters) => changeOf(filters, field.id, undefined),
})

export interface ControlProps {
  field: CustomField
  conditions: readonly CustomCondition[]
  onChange: (condition: CustomCondition | undefined) => void
}

function CustomControl(props: ControlProps) {
  const { field, conditions, onChange } = props
  if (field.type === 'yes_no') return <YesNoControl {...props} />
  const text = conditions.map((one) => conditionText(one, field)).join(' and ')
  return (
    <BoxField label="Custom field" text={`${field.name}: ${text || 'any'}`}>
      {({ field: anchor, onClose, onLeave }) => (
        <CustomFilterPopup
          field={field}
          conditions={conditions}
          anchor={anchor}
          onChange={(condition) => {
            onChange(condition)
            onClose()
          }}
          onClose={onClose}
          onLeave={onLeave}
        />
      )}
    </BoxField>
  )
}

function YesNoControl({ field: { name }, conditions: [condition], onChange }: ControlProps) {
  const value =
    condition?.kind === 'yes_no' ? (condition.yes ? 'yes' : 'no') : condition ? condition.kind : ''
  return (
    <Select
      label={name}
      value={value}
      options={[
        ['', `${name}: any`],
        ['yes', `${name}: Yes`],
        ['no', `${name}: No`],
        ['empty', `${name}: empty`],
        ['filled', `${name}: not empty`],
      ]}
      onChoose={(chosen) =>
        onChange(
          chosen === ''
            ? undefined
            : chosen === 'empty' || chosen === 'filled'
              ? { kind: chosen }
              : { kind: 'yes_no', yes: chosen === 'yes' },
        )
      }
    />
  )
}
