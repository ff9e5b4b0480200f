import { useState } from 'react'
import { Select, type SelectProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Option } from '#web/form/fields.tsx'
import { ownEscape } from '#web/shell/ownEscape.ts'

interface Props extends Omit<SelectProps, 'data' | 'value' | 'onChange'> {
  /** An id as a text; empty for none. */
  value: string
  onChange: (value: string) => void
  /** What is searched: `lead`. */
  of: string
  /** Searches on the server. */
  find: (search: string, signal: AbortSignal) => Promise<readonly Option[]>
  /** What can be chosen besides: `{ value: '', label: 'None yet' }`. */
  fixed?: readonly Option[]
  /** What the value is called before it was searched for. */
  chosen?: string | undefined
}

const debounceMs = 200
const none: readonly Option[] = []

/** One of many: what is typed is searched for on the server. */
export default function SearchSelect({ value, onChange, of, find, fixed = none, chosen, ...rest }: Props) {
  const [typed, setTyped] = useState('')
  const [picked, setPicked] = useState<Option>()
  const [isWanted, setWanted] = useState(false)
  const [isOpen, setOpen] = useState(false)
  const [settled] = useDebouncedValue(typed.trim(), debounceMs)
  const current = value === '' || fixed.some((one) => one.value === value) ? [] : [picked?.value === value ? picked : { value, label: chosen ?? `#${value}` }]
  // The name of what is chosen stands in the field without being searched for.
  const search = [...fixed, ...current].some(({ label }) => label === settled) ? '' : settled
  const { data: found = none, isFetching } = useQuery({
    queryKey: ['search-select', of, search],
    queryFn: ({ signal }) => find(search, signal),
    placeholderData: keepPreviousData,
    enabled: isWanted,
  })
  const offered = new Map([...(search === '' ? [...fixed, ...current] : []), ...found].map((one) => [one.value, one]))
  return (
    <Select
      placeholder="Type a part of the name"
      {...rest}
      searchable
      allowDeselect={false}
      // The server has searched already.
      filter={({ options }) => options}
      value={value === '' && !fixed.some((one) => one.value === '') ? null : value}
      data={[...offered.values()]}
      nothingFoundMessage={isFetching ? 'Searching…' : 'Nothing is found.'}
      {...(isOpen ? ownEscape : {})}
      onDropdownOpen={() => {
        setOpen(true)
        setWanted(true)
      }}
      onDropdownClose={() => setOpen(false)}
      onSearchChange={setTyped}
      onChange={(next) => {
        setPicked(offered.get(next ?? ''))
        onChange(next ?? '')
      }}
    />
  )
}
