import { NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { LeadOptions } from '#features/crm/leads/contract.ts'
import { nameOfCustomValue, splitChoices, type CustomField } from '#features/crm/leads/custom-fields.rules.ts'
import {
  canSetForAll,
  customFieldOf,
  importTargets,
  takesDay,
  type ColumnTarget,
  type ImportMapping,
  type ImportTarget,
} from '#features/crm/leads/import/mapping.contract.ts'
import { choicesOf } from '#features/crm/leads/import/web/choicesOf.ts'
import classes from '#features/crm/leads/import/web/import.module.css'
import { fieldsOfProduct } from '#features/crm/leads/record/web/customValues.ts'
import { askOptions } from '#features/crm/leads/record/web/LeadOptions.tsx'
import { DateField } from '#web/dates/DateField.tsx'
import { LinkButton } from '#web/parts/LinkButton.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { Toggles } from '#web/parts/Toggles.tsx'

interface Props {
  mapping: ImportMapping
  onChange: (mapping: ImportMapping) => void
}

const labels = Object.entries(importTargets) as [ImportTarget, string][]

/** Values for all rows of a file that have none in their columns. */
export function ForAll({ mapping, onChange }: Props) {
  const options = useQuery(askOptions()).data
  if (!options) return null
  const set = mapping.for_all ?? []
  const custom = fieldsOfProduct(options.custom_fields, mapping.lead_for)
  const offered = [
    ...labels
      .filter(([target]) => canSetForAll(target))
      .map(([value, label]) => ({ value: value as string, label })),
    ...custom.map(({ id, name }) => ({ value: nameOfCustomValue(id), label: name })),
  ].filter(({ value }) => !set.some(({ field }) => field === value))
  const change = (for_all: typeof set) => onChange({ ...mapping, for_all })
  return (
    <section className={classes.forAll} aria-label="Values for all rows">
      <Soft>
        Values for all rows: a value in the file comes first, and tags are added to those in the file.
      </Soft>
      {set.map(({ field, value }, index) => {
        const label = customFieldOf(field, custom)?.name ?? importTargets[field as ImportTarget]
        return (
          <div key={field} className={classes.forAllField}>
            <ValueInput
              {...{ field, label, value, options, custom }}
              onChange={(next) => change(set.with(index, { field, value: next }))}
            />
            <LinkButton aria-label={`Remove ${label}`} onClick={() => change(set.toSpliced(index, 1))}>
              Remove
            </LinkButton>
          </div>
        )
      })}
      <NativeSelect
        w={260}
        label="Set a field for all rows"
        value=""
        data={[{ value: '', label: 'Choose a field' }, ...offered]}
        onChange={(event) =>
          change([...set, { field: event.currentTarget.value as ColumnTarget, value: '' }])
        }
      />
    </section>
  )
}

interface InputProps {
  field: ColumnTarget
  label: string
  value: string
  options: LeadOptions
  custom: readonly CustomField[]
  onChange: (value: string) => void
}

/** Input for a value, which is a text as a cell would have it. */
function ValueInput({ field, label, value, options, custom, onChange }: InputProps) {
  const choices = choicesOf(field, options, custom)
  if (choices?.several)
    return (
      <SeveralNames
        {...{ label, value, onChange }}
        names={choices.names.map(([name]) => name)}
        isOpen={field === 'tag_ids'}
      />
    )
  if (choices)
    return (
      <NativeSelect
        w={260}
        label={label}
        value={value}
        data={[
          { value: '', label: 'Choose' },
          ...choices.names.map(([one, name]) => ({ value: one, label: name })),
        ]}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    )
  if (takesDay(field, custom)) return <DateField label={label} value={value} onChange={onChange} />
  return (
    <TextInput
      w={260}
      label={label}
      value={value}
      maxLength={2000}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

interface NamesProps {
  label: string
  value: string
  names: readonly string[]
  /** Whether names that aren’t in the list can be added. */
  isOpen: boolean
  onChange: (value: string) => void
}

/** Names from a list, which the value separates by commas. */
function SeveralNames({ label, value, names, isOpen, onChange }: NamesProps) {
  const given = splitChoices(value).filter((name) => name !== '')
  const chosen = given.filter((name) => names.includes(name))
  const others = given.filter((name) => !names.includes(name))
  const join = (...lists: readonly (readonly string[])[]) => onChange(lists.flat().join(', '))
  return (
    <div>
      <Toggles
        label={label}
        options={names.map((name) => ({ value: name, label: name }))}
        chosen={chosen}
        onChange={(next) => join(next, others)}
      />
      {isOpen && (
        <TextInput
          w={260}
          mt={6}
          label={`New ${label.toLowerCase()}`}
          description="Separated by commas"
          defaultValue={others.join(', ')}
          onBlur={(event) => join(chosen, [event.currentTarget.value])}
        />
      )}
    </div>
  )
}
