import { useRef, useState } from 'react'
import { Alert, Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { nameOfCustomValue, type CustomField } from '#features/crm/leads/custom-fields.rules.ts'
import {
  importTargets,
  isCustomTarget,
  leadImports,
  needsOrder,
  takesDay,
  type ColumnTarget,
  type Import,
  type ImportMapping,
} from '#features/crm/leads/import/contract.ts'
import { MakeField } from '#features/crm/leads/import/web/MakeField.tsx'
import { fieldsOfProduct } from '#features/crm/leads/record/web/customValues.ts'
import { askOptions } from '#features/crm/leads/record/web/LeadOptions.tsx'
import { leadTypes } from '#features/crm/leads/rules.ts'
import classes from '#features/crm/leads/import/web/import.module.css'
import { ApiError, errorMessageOf } from '#web/api/errors.ts'
import { useSend } from '#web/api/useSend.ts'
import { useMyProducts } from '#web/session.ts'
import { Panel } from '#web/parts/Panel.tsx'
import { Soft } from '#web/parts/Soft.tsx'

/** Choices for the question “Day first or month first?”. */
export const dateOrders = { day: 'Day first (31/12/2026)', month: 'Month first (12/31/2026)' }
const orderChoices = [
  { value: '', label: 'Choose' },
  ...Object.entries(dateOrders).map(([value, label]) => ({ value, label })),
]
const targets = Object.entries(importTargets).map(([value, label]) => ({ value, label }))

/** Returns the custom fields that columns can map to, also deleted ones, which a mapping can name. */
export const useImportFields = (): readonly CustomField[] => useQuery(askOptions()).data?.custom_fields ?? []

/**
 * Form for mapping columns. The server guesses the mapping, and the user can correct it. A column is skipped
 * only if the user chooses to.
 */
export function ImportMappingForm({ current, onChecked }: { current: Import; onChecked: () => void }) {
  const products = useMyProducts()
  const [mapping, setMapping] = useState<ImportMapping>(current.mapping)
  const [failure, setFailure] = useState<string>()
  const { send, sending } = useSend(leadImports.check, {
    failure: 'throw',
  })

  async function check(): Promise<void> {
    setFailure(undefined)
    try {
      await send({ params: { id: current.id }, body: mapping })
      onChecked()
    } catch (error) {
      setFailure(
        error instanceof ApiError && error.errors
          ? Object.values(error.errors).flat().join(' ')
          : errorMessageOf(error),
      )
    }
  }

  return (
    <Panel aria-label="Columns">
      <h2>2. Map columns</h2>
      <Soft>
        {current.file_name} has {current.row_count.toLocaleString()} rows. Columns that don’t match a lead
        field are kept as imported details, exactly as they are. {readingOf(current)}
      </Soft>
      <div className={classes.choices}>
        <NativeSelect
          label="Product"
          value={String(mapping.lead_for)}
          data={products.map(({ id, name }) => ({ value: String(id), label: name }))}
          onChange={(event) => setMapping(ofProduct(mapping, Number(event.currentTarget.value)))}
        />
        <NativeSelect
          label="Type"
          value={String(mapping.lead_type)}
          data={Object.entries(leadTypes).map(([value, label]) => ({ value, label }))}
          onChange={(event) =>
            setMapping({ ...mapping, lead_type: Number(event.currentTarget.value) as 1 | 2 })
          }
        />
      </div>
      <ColumnsTable current={current} mapping={mapping} onChange={setMapping} />
      {failure && (
        <Alert color="red" role="alert">
          {failure}
        </Alert>
      )}
      <div>
        <Button loading={sending} onClick={() => void check()}>
          Preview import
        </Button>
      </div>
    </Panel>
  )
}

/** Returns the mapping for another product, which has other custom fields. */
const ofProduct = (mapping: ImportMapping, lead_for: number): ImportMapping => ({
  ...mapping,
  lead_for,
  columns: mapping.columns.map((target) => (isCustomTarget(target) ? 'detail' : target)),
})

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

/** Returns how a file was read, if that isn't evident. */
const readingOf = ({ read_as }: Import): string =>
  read_as === 'Excel'
    ? 'Only the first sheet was read.'
    : read_as === 'Windows-1252'
      ? 'The file was read as Windows-1252. If letters such as é look wrong below, save it as “CSV UTF-8” and upload it again.'
      : ''

function ColumnsTable({ current, mapping, onChange }: Omit<CellProps, 'position' | 'header'>) {
  return (
    <div className={classes.scroll} tabIndex={0} role="region" aria-label="File columns">
      <table className={`${classes.plainTable} ${classes.mapping}`}>
        <thead>
          <tr>
            <th scope="col">File column</th>
            <th scope="col">Lead field</th>
            <th scope="col">Sample values</th>
          </tr>
        </thead>
        <tbody>
          {current.headers.map((name, position) => {
            const header = name || `Column ${position + 1}`
            return (
              <tr key={`${position}-${name}`}>
                <th scope="row">{header}</th>
                <td>
                  <TargetCell {...{ current, mapping, position, header, onChange }} />
                </td>
                <td className={classes.sample}>
                  {current.sample
                    .map((row) => row[position])
                    .filter(Boolean)
                    .slice(0, 3)
                    .join(' · ')}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

interface CellProps {
  current: Import
  mapping: ImportMapping
  position: number
  header: string
  onChange: (mapping: ImportMapping) => void
}

/** The field that a column maps to, and for dates their order; a column without one can become a custom field. */
function TargetCell({ current, mapping, position, header, onChange }: CellProps) {
  const fields = useImportFields()
  const select = useRef<HTMLSelectElement>(null)
  const target = mapping.columns[position]!
  const choose = (chosen: string) =>
    onChange({ ...mapping, columns: mapping.columns.with(position, chosen as ColumnTarget) })
  const orders = current.headers.map((_, index) => mapping.date_orders?.[index] ?? null)
  const setOrder = (order: string) =>
    onChange({ ...mapping, date_orders: orders.with(position, (order || null) as 'day' | 'month' | null) })
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
      {asksForOrder(current, mapping, position, fields) && (
        <NativeSelect
          mt={6}
          label="Day first or month first?"
          value={orders[position] ?? ''}
          data={orderChoices}
          onChange={(event) => setOrder(event.currentTarget.value)}
        />
      )}
    </>
  )
}

/** Returns whether a column is a date whose order of day and month only the user can tell. */
export const asksForOrder = (
  current: Import,
  { columns }: ImportMapping,
  position: number,
  fields: readonly CustomField[],
): boolean => takesDay(columns[position]!, fields) && needsOrder(current.date_forms[position])
