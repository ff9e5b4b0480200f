import { useState, type ReactNode } from 'react'
import { Select } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { namesOf, type FindCategories } from '#features/cms/articles/categories/web/findCategories.ts'

interface Props {
  label?: string
  'aria-label'?: string
  /** The id as a string; empty: none. */
  value?: string
  onChange: (value: string) => void
  find: FindCategories
  /** Placeholder while empty. */
  none: string
  /** Whether the choice can be cleared. */
  clearable?: boolean
  required?: boolean
  error?: ReactNode
  'data-path'?: string
}

/** Field that chooses a category, searched by the server as the user types. */
export function CategoryField({ value = '', onChange, find, none, clearable = false, ...rest }: Props) {
  const [q, setQ] = useState('')
  const { data } = useQuery({
    ...find(value === '' ? { q } : { q, chosen: Number(value) }),
    placeholderData: keepPreviousData,
  })
  return (
    <Select
      {...rest}
      searchable
      clearable={clearable}
      allowDeselect={false}
      placeholder={none}
      nothingFoundMessage="No categories found."
      clearButtonProps={{ 'aria-label': none }}
      data={namesOf(data).map(({ id, title }) => ({ value: String(id), label: title }))}
      filter={({ options }) => options}
      value={value === '' ? null : value}
      onChange={(next) => onChange(next ?? '')}
      // Typed text only, not the name of the chosen category that the field shows.
      onInput={(event) => setQ(event.currentTarget.value.slice(0, 200))}
      onDropdownClose={() => setQ('')}
    />
  )
}
