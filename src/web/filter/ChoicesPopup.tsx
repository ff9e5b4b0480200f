import { useState, type KeyboardEvent } from 'react'
import { skipToken, useQuery } from '@tanstack/react-query'
import { searchText } from '#shared/search-text.ts'
import { DatePopup } from '#web/dates/DatePopup.tsx'
import type { Box } from '#web/filter/BoxField.tsx'
import classes from '#web/filter/choices.module.css'
import { IsOrIsNot } from '#web/filter/IsOrIsNot.tsx'
import { unknownText, type Choice, type ChoiceList, type Chosen } from '#web/filter/choices.tsx'

interface Props extends Omit<ChoiceList, 'any'>, Box {
  chosen: Chosen
  onChange: (chosen: Chosen) => void
}

/** A list with more options than this has a search. */
const fewOptions = 8
/** As many options are shown; the search finds the others. */
const mostShown = 200
/** As many values fit in a filter. */
const mostChosen = 50

const nothingToFind: NonNullable<ChoiceList['find']> = () => ({
  queryKey: ['no further options'],
  queryFn: skipToken,
})

/** A box with the options of a filter as checkboxes, which apply immediately; and whether they are left out. */
export default function ChoicesPopup(props: Props) {
  const {
    label,
    options,
    onlyAlone = [],
    find = nothingToFind,
    chosen,
    onChange,
    field,
    onClose,
    onLeave,
  } = props
  const { data: found, isError: failed, isLoading } = useQuery(find())
  const [isNot, setNot] = useState(chosen.any.length === 0 && chosen.not.length > 0)
  const [text, setText] = useState('')
  const values = isNot ? chosen.not : chosen.any
  const all = allOf(
    [...options, ...(found ?? [])].filter(([value]) => !isNot || !onlyAlone.includes(value)),
    values,
  )
  const matching = all.filter(([, name]) => searchText(name).includes(searchText(text.trim())))

  const choose = (next: readonly string[]) => onChange({ ...chosen, [isNot ? 'not' : 'any']: next })
  function toggle(value: string): void {
    if (values.includes(value)) return choose(values.filter((one) => one !== value))
    if (onlyAlone.includes(value)) return choose([value])
    choose([...values.filter((one) => !onlyAlone.includes(one)), value])
  }
  /** Moves the chosen values to the other side; those that can’t be left out stay. */
  function turn(toNot: boolean): void {
    if (toNot === isNot) return
    setNot(toNot)
    const [alone, others] = [true, false].map((isAlone) =>
      chosen.any.filter((value) => onlyAlone.includes(value) === isAlone),
    ) as [string[], string[]]
    const moved = [...new Set([...others, ...chosen.not])]
    if (moved.length > 0) onChange(toNot ? { any: alone, not: moved } : { any: moved, not: [] })
  }

  return (
    <DatePopup label={label} trapsFocus field={field} onClose={onClose} onLeave={onLeave}>
      <div className={classes.box} onKeyDown={moveByArrows}>
        <IsOrIsNot label={label} isNot={isNot} onChange={turn} />
        {all.length > fewOptions && (
          <input
            type="search"
            data-autofocus
            className={classes.search}
            aria-label={`Search ${label}`}
            placeholder="Search"
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            onKeyDown={(event) => {
              const [first] = matching
              if (event.key === 'Enter' && text.trim() !== '' && first) toggle(first[0])
            }}
          />
        )}
        <Rows label={label} rows={matching.slice(0, mostShown)} values={values} onToggle={toggle} />
        <Hint
          failed={failed}
          isLoading={isLoading}
          isEmpty={matching.length === 0}
          left={matching.length - mostShown}
          isFull={values.length >= mostChosen}
        />
      </div>
    </DatePopup>
  )
}

/** Returns the options, and the chosen values that are none, such as a country that no lead has anymore. */
const allOf = (options: readonly Choice[], values: readonly string[]): readonly Choice[] => [
  ...options,
  ...values
    .filter((value) => !options.some(([one]) => one === value))
    .map((value): Choice => [value, unknownText(value)]),
]

interface RowsProps {
  label: string
  rows: readonly Choice[]
  values: readonly string[]
  onToggle: (value: string) => void
}

const Rows = ({ label, rows, values, onToggle }: RowsProps) => (
  <fieldset className={classes.rows} aria-label={label}>
    {rows.map(([value, name]) => (
      <label key={value} className={classes.row}>
        <input
          type="checkbox"
          checked={values.includes(value)}
          disabled={values.length >= mostChosen && !values.includes(value)}
          onChange={() => onToggle(value)}
        />
        <span className={classes.name}>{name}</span>
      </label>
    ))}
  </fieldset>
)

interface HintProps {
  failed: boolean
  isLoading: boolean
  isEmpty: boolean
  left: number
  isFull: boolean
}

function Hint({ failed, isLoading, isEmpty, left, isFull }: HintProps) {
  const text = failed
    ? 'The options couldn’t be loaded. Close this box and open it again.'
    : isLoading
      ? 'Loading…'
      : isFull
        ? `A filter can have up to ${mostChosen} values.`
        : isEmpty
          ? 'No option matches.'
          : left > 0
            ? `Search to find ${left.toLocaleString('en-US')} more.`
            : undefined
  return text === undefined ? null : (
    <p className={classes.hint} role="status">
      {text}
    </p>
  )
}

/** The arrow keys move between the search and the options. */
function moveByArrows(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  const fields = [
    ...event.currentTarget.querySelectorAll<HTMLInputElement>('input[type=search], input[type=checkbox]'),
  ].filter((one) => !one.disabled)
  const next = fields[fields.indexOf(document.activeElement as HTMLInputElement) + step]
  if (step === 0 || !next) return
  event.preventDefault()
  next.focus()
}
