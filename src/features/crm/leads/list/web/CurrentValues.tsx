import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { dayText, isPlainDate } from '#shared/dates.ts'
import type { Field } from '#shared/field.ts'
import { amountText } from '#shared/money.ts'
import type { BulkField, BulkValues } from '#features/crm/leads/bulk-values.contract.ts'
import {
  customValueText,
  nameOfCustomValue,
  type CustomField,
  type CustomValue,
} from '#features/crm/leads/custom-fields.rules.ts'
import { leadFields } from '#features/crm/leads/fields.ts'
import { leadOperations, type LeadSelection } from '#features/crm/leads/operations.contract.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { Soft } from '#web/parts/Soft.tsx'
import { countText } from '#web/time.ts'

interface Props {
  field: BulkField | CustomField
  selection: LeadSelection
  /** The entered value, if it is one that the field can have. */
  values: BulkValues | undefined
}

const pauseMs = 300

/** The values that the selected leads have in a field, and how many of them the entered one would change. */
export function CurrentValues({ field, selection, values }: Props) {
  const isCustom = typeof field !== 'string'
  const [entered] = useDebouncedValue(JSON.stringify(values), pauseMs)
  const { data, isError } = useQuery({
    ...queryOptionsFor(leadOperations.currentValues, {
      body: {
        selection,
        field: isCustom ? nameOfCustomValue(field.id) : field,
        ...(entered !== undefined && { values: JSON.parse(entered) as BulkValues }),
      },
    }),
    placeholderData: keepPreviousData,
  })
  const textOf = (value: CustomValue | null, currency: string | null): string => {
    if (value === null || value === '') return 'none'
    if (isCustom) return customValueText(field, value)
    if (currency !== null) return amountText(Number(value), currency)
    if (typeof value === 'string' && isPlainDate(value)) return dayText(value)
    return (leadFields[field] as Field).words?.(value) ?? value.toString()
  }
  const counted = (data?.data ?? []).map(
    ({ value, currency, leads }) => `${textOf(value, currency)} (${leadsText(leads)})`,
  )
  const all = (data?.others ?? 0) + (data?.data ?? []).reduce((sum, { leads }) => sum + leads, 0)
  const others = data && data.others > 0 ? [`others (${leadsText(data.others)})`] : []
  return (
    <Soft small role="status">
      {isError && 'The current values couldn’t be loaded.'}
      {data && `Now: ${[...counted, ...others].join(', ')}.`}
      {data && data.changes !== null && values && ` ${changesText(data.changes, all)}`}
    </Soft>
  )
}

const changesText = (changes: number, all: number) =>
  `${countText(changes)} of ${leadsText(all)} ${changes === 1 ? 'changes' : 'change'}.`
const leadsText = (count: number) => (count === 1 ? '1 lead' : `${countText(count)} leads`)
