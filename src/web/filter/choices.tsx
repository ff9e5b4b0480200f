import type { UseQueryOptions } from '@tanstack/react-query'
import { BoxField } from '#web/filter/BoxField.tsx'
import type { Filter } from '#web/filter/filters.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'

const ChoicesPopup = lazyPart(() => import('#web/filter/ChoicesPopup.tsx'))

export type Choice = readonly [value: string, label: string]

/** The values of which a row has any, and those of which it has none. */
export interface Chosen {
  any: readonly string[]
  not: readonly string[]
}

export interface ChoiceList {
  label: string
  /** Text of the control without a choice. */
  any: string
  options: readonly Choice[]
  /** Values that can’t be left out, and that go without others. */
  onlyAlone?: readonly string[]
  /** Returns the query for further options, which are loaded once the box is open. */
  find?: () => UseQueryOptions<any, Error, readonly Choice[], any>
}

interface Choices<F> extends ChoiceList {
  id: string
  more?: boolean
  chosenOf: (filters: F) => Chosen
  changeTo: (chosen: Chosen) => Partial<F>
}

/** Declares a filter by a field with a choice: rows with any of several values, or with none of them. */
export function choices<F extends object>({ id, more, chosenOf, changeTo, ...list }: Choices<F>): Filter<F> {
  return {
    id,
    more,
    name: list.label,
    control: (filters, onChange) => (
      <ChoicesField {...list} chosen={chosenOf(filters)} onChange={(chosen) => onChange(changeTo(chosen))} />
    ),
    says: (filters) => {
      const text = chosenText(list.options, chosenOf(filters))
      return text && `${list.label}: ${text}`
    },
    cleared: changeTo({ any: [], not: [] }),
  }
}

/** Describes a choice: `New or Won`, `not Rejected`; empty if nothing is chosen. */
export function chosenText(options: readonly Choice[], { any, not }: Chosen): string | undefined {
  const named = (values: readonly string[]) =>
    values.map((value) => options.find(([one]) => one === value)?.[1] ?? unknownText(value)).join(' or ')
  const parts = [...(any.length > 0 ? [named(any)] : []), ...(not.length > 0 ? [`not ${named(not)}`] : [])]
  return parts.length > 0 ? parts.join(', ') : undefined
}

/** Describes a value that isn’t among the options: the ID of a deleted entry, or a name. */
export const unknownText = (value: string): string => (/^\d+$/.test(value) ? `#${value}` : value)

interface Props extends ChoiceList {
  chosen: Chosen
  onChange: (chosen: Chosen) => void
}

/** A button with the choice; its box has the options, and whether to have them or leave them out. */
const ChoicesField = ({ any, ...rest }: Props) => (
  <BoxField label={rest.label} text={chosenText(rest.options, rest.chosen) ?? any}>
    {(box) => <ChoicesPopup {...rest} {...box} />}
  </BoxField>
)
