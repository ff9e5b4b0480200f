import { useState } from 'react'
import { Select, type SelectProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { organizationNames } from '#shared/organizations.contract.ts'
import { ask } from '#web/api/client.ts'
import type { Option } from '#web/form/fields.tsx'
import { countText } from '#web/time.ts'

interface Props extends Omit<SelectProps, 'data' | 'value' | 'onChange'> {
  /** Its id as a text; empty for none. */
  value: string
  onChange: (value: string) => void
  /** What can be chosen besides organizations: `{ value: '', label: 'None yet' }`. */
  fixed?: readonly Option[]
  /** Only those of this product. */
  product?: number | undefined
}

const debounceMs = 200
const more = 'more'
const scrolls = { options: { maxHeight: 220, overflowY: 'auto' } } as const

/** One of the organizations, however many there are: what is typed is searched for on the server. */
export default function OrganizationSelect({ value, onChange, fixed = [], product, ...rest }: Props) {
  const [typed, setTyped] = useState('')
  const [settled] = useDebouncedValue(typed.trim(), debounceMs)
  const id = Number(value)
  const chosen = useQuery({ ...ask(organizationNames, { query: { id } }), enabled: id > 0 }).data?.data ?? []
  // The name of what is chosen stands in the field without being searched for.
  const search = [...fixed.map(({ label }) => label), ...chosen.map(({ name }) => name)].includes(settled) ? '' : settled
  const { data, isFetching } = useQuery({
    ...ask(organizationNames, { query: { search, ...(product === undefined ? {} : { product }) } }),
    placeholderData: keepPreviousData,
  })
  const found = data?.data ?? []
  const left = (data?.total ?? 0) - found.length
  // Each once: the ones that the form offers first, the chosen one, the others.
  const offered = new Map(
    (search === '' ? [...chosen, ...found] : found).map((one) => [String(one.id), { value: String(one.id), label: one.name }] as [string, Option]),
  )
  if (search === '') for (const { value: of } of fixed) offered.delete(of)
  return (
    <Select
      placeholder="Type a part of the name"
      {...rest}
      searchable
      allowDeselect={false}
      openOnFocus={false}
      // The list itself scrolls: a frame around it would have to be reached by keyboard.
      withScrollArea={false}
      styles={scrolls}
      // The server has searched already.
      filter={({ options }) => options}
      value={value === '' && !fixed.some((one) => one.value === '') ? null : value}
      data={[
        ...(search === '' ? fixed : []),
        ...offered.values(),
        ...(left > 0 ? [{ value: more, label: `${countText(left)} more: type a part of the name`, disabled: true }] : []),
      ]}
      nothingFoundMessage={isFetching ? 'Searching…' : 'No organization has this in its name.'}
      onSearchChange={setTyped}
      onFocus={(event) => {
        event.currentTarget.select()
        rest.onFocus?.(event)
      }}
      onChange={(next) => onChange(next ?? '')}
    />
  )
}
