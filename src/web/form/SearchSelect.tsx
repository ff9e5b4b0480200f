import { useState } from 'react'
import { Select, type SelectProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { keepEnter } from '#web/form/keepEnter.ts'
import type { Option } from '#web/form/inputs.tsx'
import { stopEscapePropagation } from '#web/parts/stopEscapePropagation.ts'
import { countText } from '#web/time.ts'

interface Found {
  options: readonly Option[]
  /** Number of matches that are not among the options. */
  left: number
}

interface Props extends Omit<SelectProps, 'data' | 'value' | 'onChange'> {
  /** ID as a string; empty if nothing is selected. */
  value: string
  onChange: (value: string) => void
  /** Kind of record to search for, such as `lead`. */
  of: string
  /** Runs the search on the server. */
  find: (search: string, signal: AbortSignal) => Promise<readonly Option[] | Found>
  /** Additional options, such as `{ value: '', label: 'None yet' }`. */
  fixed?: readonly Option[]
  /** Label of the selected value, used until a search has found it. */
  chosen?: string | undefined
  /** Text shown if nothing matches. */
  nothing?: string
}

const debounceMs = 200
const none: readonly Option[] = []
const more = 'more'
const scrolls = { options: { maxHeight: 220, overflowY: 'auto' } } as const
const isCounted = (found: readonly Option[] | Found): found is Found => 'left' in found

/** Returns the line that counts the matches that aren't offered. */
const moreOf = (left: number) =>
  left > 0
    ? [{ value: more, label: `${countText(left)} more. Keep typing to narrow the results.`, disabled: true }]
    : []

/**
 * Selects the name in a field that was clicked: the click places the cursor in it after the focus has selected it, so
 * that typing would add to it.
 */
function selectAll(field: HTMLInputElement, isName: (text: string) => boolean): void {
  if (isName(field.value) && field.selectionStart === field.selectionEnd) field.select()
}

/** Select for a single record among many, searched on the server as the user types. */
export default function SearchSelect({
  value,
  onChange,
  of,
  find,
  fixed = none,
  chosen,
  nothing = 'No results found.',
  ...rest
}: Props) {
  const [typed, setTyped] = useState('')
  const [picked, setPicked] = useState<Option>()
  const [isWanted, setWanted] = useState(rest.defaultDropdownOpened ?? false)
  const [isOpen, setOpen] = useState(rest.defaultDropdownOpened ?? false)
  const [settled] = useDebouncedValue(typed.trim(), debounceMs)
  const current =
    value === '' || fixed.some((one) => one.value === value)
      ? []
      : [picked?.value === value ? picked : { value, label: chosen ?? `#${value}` }]
  // The field shows the selected option's name, which must not be used as a search term.
  const isName = (text: string) => [...fixed, ...current].some(({ label }) => label === text)
  const search = isName(settled) ? '' : settled
  const { data: found = none, isFetching } = useQuery({
    queryKey: ['search-select', of, search],
    queryFn: ({ signal }) => find(search, signal),
    placeholderData: keepPreviousData,
    enabled: isWanted,
  })
  const { options, left } = isCounted(found) ? found : { options: found, left: 0 }
  // Deduplicated: the fixed options, the selected one, and the search results.
  const offered = new Map<string, Option>()
  for (const one of [...(search === '' ? [...fixed, ...current] : []), ...options])
    if (!offered.has(one.value)) offered.set(one.value, one)
  return (
    <Select
      placeholder="Type to search"
      {...rest}
      {...keepEnter}
      searchable
      allowDeselect={false}
      openOnFocus={false}
      // The list itself scrolls; a separate scroll area around it would have to be reachable by keyboard.
      withScrollArea={false}
      styles={scrolls}
      // The server has already filtered the options.
      filter={({ options: all }) => all}
      value={value === '' && !fixed.some((one) => one.value === '') ? null : value}
      data={[...offered.values(), ...moreOf(left)]}
      nothingFoundMessage={isFetching ? 'Searching…' : nothing}
      {...(isOpen ? stopEscapePropagation : {})}
      onDropdownOpen={() => {
        setOpen(true)
        setWanted(true)
      }}
      onDropdownClose={() => setOpen(false)}
      onSearchChange={setTyped}
      onFocus={(event) => {
        event.currentTarget.select()
        rest.onFocus?.(event)
      }}
      onClick={(event) => {
        selectAll(event.currentTarget, isName)
        rest.onClick?.(event)
      }}
      onChange={(next) => {
        setPicked(offered.get(next ?? ''))
        onChange(next ?? '')
      }}
    />
  )
}
