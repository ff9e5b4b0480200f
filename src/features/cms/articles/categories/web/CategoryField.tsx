import { useState, type ReactNode } from 'react'
import { Select } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { namesOf, type FindCategories } from '#features/cms/articles/categories/web/findCategories.ts'
import { keepEnter } from '#web/form/keepEnter.ts'

interface Props {
  label?: string
  'aria-label'?: string
  /** The ID as a string; empty means none. */
  value?: string
  onChange: (value: string) => void
  find: FindCategories
  /** Placeholder shown when no category is chosen. */
  none: string
  /** Whether the selection can be cleared. */
  clearable?: boolean
  required?: boolean
  error?: ReactNode
  'data-path'?: string
}

/** Field for choosing a category; the server searches as the user types. */
export function CategoryField({ value = '', onChange, find, none, clearable = false, ...rest }: Props) {
  const [q, setQ] = useState('')
  const { data } = useQuery({
    ...find(value === '' ? { q } : { q, chosen: Number(value) }),
    placeholderData: keepPreviousData,
  })
  return (
    <Select
      {...rest}
      {...keepEnter}
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
      // Only set the search to text that the user enters, not to the name of the chosen category, which the
      // field also shows.
      onInput={(event) => setQ(event.currentTarget.value.slice(0, 200))}
      onDropdownClose={() => setQ('')}
    />
  )
}
