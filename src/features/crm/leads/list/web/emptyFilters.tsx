import type { LeadGroup } from '#features/crm/leads/contract.ts'
import {
  emptiableFields,
  readEmptyFilter,
  type EmptiableField,
  type EmptyFilter,
} from '#features/crm/leads/empty-filters.rules.ts'
import { leadFields } from '#features/crm/leads/fields.ts'
import type { Filter } from '#web/filter/filters.tsx'
import { Select } from '#web/parts/controls.tsx'

type LeadFilter = Filter<LeadGroup>
type Chosen = Pick<LeadGroup, 'field_filter'>

const states = { empty: 'Is empty', filled: 'Is not empty' } as const
type State = keyof typeof states

const conditionsOn = ({ field_filter = [] }: Chosen, field: EmptiableField) =>
  field_filter.filter((one) => readEmptyFilter(one).field === field)

/** Returns the change of the filters that replaces the condition on a field; undefined removes it. */
function changeOf(now: Chosen, field: EmptiableField, condition: EmptyFilter | undefined): Chosen {
  const others = (now.field_filter ?? []).filter((one) => readEmptyFilter(one).field !== field)
  const all = condition ? [...others, condition] : others
  return { field_filter: all.length > 0 ? all : undefined }
}

/** Adds a condition: the chips show those that there are. */
const chooser = (state: State): LeadFilter => ({
  id: `fields_${state}`,
  more: true,
  name: states[state],
  control: (filters, onChange) => (
    <Select
      label={states[state]}
      value=""
      options={[
        ['', `${states[state]}…`],
        ...emptiableFields
          .filter((field) => !filters.field_filter?.includes(`${field}:${state}`))
          .map((field) => [field, leadFields[field].label] as const),
      ]}
      onChoose={(field) =>
        onChange(changeOf(filters, field as EmptiableField, `${field as EmptiableField}:${state}`))
      }
    />
  ),
  says: () => undefined,
  cleared: {},
})

/** The filters by fields that are empty or not: two controls, and a chip for each condition. */
export const emptyFilters: readonly LeadFilter[] = [
  chooser('empty'),
  chooser('filled'),
  ...emptiableFields.map((field): LeadFilter => ({
    id: `field_${field}`,
    more: true,
    control: () => null,
    says: (filters) => {
      const conditions = conditionsOn(filters, field).map((one) =>
        readEmptyFilter(one).isEmpty ? 'empty' : 'not empty',
      )
      if (conditions.length === 0) return undefined
      return `${leadFields[field].label}: ${conditions.join(' and ')}`
    },
    cleared: (filters) => changeOf(filters, field, undefined),
  })),
]
