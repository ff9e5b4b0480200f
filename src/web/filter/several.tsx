import { useState } from 'react'
import type { Filter } from '#web/filter/filters.tsx'
import { Select } from '#web/parts/controls.tsx'
import { Toggles } from '#web/parts/Toggles.tsx'

type Options = readonly (readonly [value: string, label: string])[]

interface Several<F> {
  id: string
  label: string
  /** Text of the choice without a filter. */
  any: string
  options: Options
  /** Instead of the options, those of which several can be chosen. */
  severalOptions?: Options
  more?: boolean
  /** Returns the chosen values; none if the filter is inactive. */
  chosenOf: (filters: F) => readonly string[]
  changeTo: (chosen: readonly string[]) => Partial<F>
}

/** Declares a filter with one value of a list, or with any of several. */
export function several<F extends object>({ chosenOf, changeTo, more, ...list }: Several<F>): Filter<F> {
  const all = [...list.options, ...(list.severalOptions ?? [])]
  return {
    id: list.id,
    more,
    control: (filters, onChange) => (
      <SeveralChoice {...list} chosen={chosenOf(filters)} onChoose={(chosen) => onChange(changeTo(chosen))} />
    ),
    says: (filters) => {
      const names = chosenOf(filters).map((value) => all.find(([one]) => one === value)?.[1] ?? value)
      return names.length > 0 ? `${list.label}: ${names.join(' or ')}` : undefined
    },
    cleared: changeTo([]),
  }
}

/** No option has this value. */
const severalValue = '…'

interface ChoiceProps extends Pick<Several<object>, 'label' | 'any' | 'options' | 'severalOptions'> {
  chosen: readonly string[]
  onChoose: (chosen: readonly string[]) => void
}

/** A select whose last option opens the others as buttons, of which several can be pressed. */
function SeveralChoice({ label, any, options, severalOptions = options, chosen, onChoose }: ChoiceProps) {
  const [isOpen, setOpen] = useState(false)
  const isSeveral = isOpen || chosen.length > 1
  return (
    <>
      <Select
        label={label}
        value={isSeveral ? severalValue : (chosen[0] ?? '')}
        options={[['', any], ...options, [severalValue, 'Any of several']]}
        onChoose={(value) => {
          setOpen(value === severalValue)
          if (value !== severalValue) onChoose(value === '' ? [] : [value])
        }}
      />
      {isSeveral && (
        <Toggles
          label={`${label}: any of`}
          options={severalOptions.map(([value, name]) => ({ value, label: name }))}
          chosen={chosen}
          onChange={onChoose}
        />
      )}
    </>
  )
}
