import { useRef } from 'react'
import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { nameOfCustomValue, type CustomField } from '#features/crm/leads/custom-fields.rules.ts'
import type { DecimalMark } from '#shared/numbers.ts'
import type { Import } from '#features/crm/leads/import/contract.ts'
import {
  importTargets,
  isCustomTarget,
  needsOrder,
  proposedMark,
  takesDay,
  takesNumber,
  type ColumnTarget,
  type ImportMapping,
} from '#features/crm/leads/import/mapping.contract.ts'
import { MakeField } from '#features/crm/leads/import/web/MakeField.tsx'
import { UnknownWords } from '#features/crm/leads/import/web/UnknownWords.tsx'
import { fieldsOfProduct } from '#features/crm/leads/record/web/customValues.ts'
import { askOptions } from '#features/crm/leads/record/web/LeadOptions.tsx'

/** Choices for the question “Day first or month first?”. */
export const dateOrders = { day: 'Day first (31/12/2026)', month: 'Month first (12/31/2026)' }
/** Choices for the mark before the decimals. */
export const decimalMarks = { point: 'Point: 1,500.00', comma: 'Comma: 1.500,00' } as const

const toChoose = { value: '', label: 'Choose' }
const choicesOf = (table: object) =>
  Object.entries(table).map(([value, label]) => ({ value, label: String(label) }))
const orderChoices = [toChoose, ...choicesOf(dateOrders)]
const targets = choicesOf(importTargets)

/** Returns the custom fields that columns can map to, also deleted ones, which a mapping can name. */
export const useImportFields = (): readonly CustomField[] => useQuery(askOptions()).data?.custom_fields ?? []

export interface CellProps {
  current: Import
  mapping: ImportMapping
  position: number
  header: string
  onChange: (mapping: ImportMapping) => void
}

/** The field that a column maps to, and how its values are read; a column without one can become a custom field. */
export function TargetCell(props: CellProps) {
  const { current, mapping, position, header, onChange } = props
  const fields = useImportFields()
  const select = useRef<HTMLSelectElement>(null)
  const target = mapping.columns[position]!
  const choose = (chosen: string) =>
    onChange({ ...mapping, columns: mapping.columns.with(position, chosen as ColumnTarget) })
  return (
    <>
      <NativeSelect
        ref={select}
        aria-label={`Lead field for ${header}`}
        value={target}
        data={targetsOf(fields, mapping.lead_for, target)}
        onChange={(event) => choose(event.currentTarget.value)}
      />
      {(target === 'detail' || target === 'skip') && (
        <MakeField
          id={current.id}
          position={position}
          header={header}
          product_id={mapping.lead_for}
          count={fieldsOfProduct(fields, mapping.lead_for).length}
          onCreated={(id) => {
            choose(nameOfCustomValue(id))
            // The button that had the focus is gone.
            select.current?.focus()
          }}
        />
      )}
      {asksForOrder(current, mapping, position, fields) && <DateOrder {...props} />}
      {asksForMark(current, mapping, position, fields) && <Decimals {...props} />}
      {target === 'assign_to' && <UnknownAssignee {...props} />}
      <UnknownWords {...props} />
    </>
  )
}

function DateOrder({ current, mapping, position, onChange }: CellProps) {
  const orders = current.headers.map((_, index) => mapping.date_orders?.[index] ?? null)
  const setOrder = (order: string) =>
    onChange({ ...mapping, date_orders: orders.with(position, (order || null) as 'day' | 'month' | null) })
  return (
    <NativeSelect
      mt={6}
      label="Day first or month first?"
      value={orders[position] ?? ''}
      data={orderChoices}
      onChange={(event) => setOrder(event.currentTarget.value)}
    />
  )
}

function Decimals({ current, mapping, position, onChange }: CellProps) {
  const marks = current.headers.map((_, index) => mapping.decimal_marks?.[index] ?? null)
  const mark = markOf(current, mapping, position)
  const setMark = (chosen: string) =>
    onChange({ ...mapping, decimal_marks: marks.with(position, (chosen || null) as DecimalMark | null) })
  return (
    <NativeSelect
      mt={6}
      label="Decimals"
      value={mark ?? ''}
      data={mark ? choicesOf(decimalMarks) : [toChoose, ...choicesOf(decimalMarks)]}
      onChange={(event) => setMark(event.currentTarget.value)}
    />
  )
}

/** What becomes of rows whose assignee isn’t an admin user. */
function UnknownAssignee({ mapping, onChange }: CellProps) {
  const staff = useQuery(askOptions()).data?.staff ?? []
  const { unknown_assignee: _, ...others } = mapping
  const choices = [
    { value: '', label: 'Errors' },
    { value: 'unassigned', label: 'Unassigned' },
    { group: 'Assigned to', items: staff.map(({ id, name }) => ({ value: String(id), label: name })) },
  ]
  const choose = (chosen: string) => {
    if (chosen === '') onChange(others)
    else onChange({ ...others, unknown_assignee: chosen === 'unassigned' ? chosen : Number(chosen) })
  }
  return (
    <NativeSelect
      mt={6}
      label="Rows with unknown names"
      value={String(mapping.unknown_assignee ?? '')}
      data={choices}
      onChange={(event) => choose(event.currentTarget.value)}
    />
  )
}

/** Returns the targets to choose from: those of all leads, and the custom fields of the product. */
function targetsOf(fields: readonly CustomField[], product: number, chosen: ColumnTarget) {
  const custom = fieldsOfProduct(fields, product).map(({ id, name }) => ({
    value: nameOfCustomValue(id),
    label: name,
  }))
  if (!isCustomTarget(chosen) || custom.some(({ value }) => value === chosen))
    return custom.length === 0 ? targets : [...targets, { group: 'Custom fields', items: custom }]
  const name = fields.find(({ id }) => nameOfCustomValue(id) === chosen)?.name
  // Until the fields have loaded, none of them is known.
  const label = name === undefined ? 'Custom field' : `${name} (deleted field)`
  const gone = { value: chosen, label }
  return [...targets, { group: 'Custom fields', items: [...custom, gone] }]
}

/** Returns whether a column is a date whose order of day and month only the user can tell. */
export const asksForOrder = (
  current: Import,
  { columns }: ImportMapping,
  position: number,
  fields: readonly CustomField[],
): boolean => takesDay(columns[position]!, fields) && needsOrder(current.date_forms[position])

/** Returns whether a column has numbers with decimals or thousands, which the user can read in another way. */
export const asksForMark = (
  current: Import,
  { columns }: ImportMapping,
  position: number,
  fields: readonly CustomField[],
): boolean => takesNumber(columns[position]!, fields) && !!current.decimal_forms[position]

/** Returns the mark before the decimals of a column, as chosen or else as its rows show it. */
export const markOf = (current: Import, mapping: ImportMapping, position: number): DecimalMark | undefined =>
  mapping.decimal_marks?.[position] ??
  proposedMark(current.decimal_forms[position], mapping.columns[position]!)
