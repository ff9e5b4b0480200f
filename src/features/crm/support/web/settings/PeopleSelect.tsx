import { useState } from 'react'
import { MultiSelect, type MultiSelectProps } from '@mantine/core'
import '@mantine/core/styles/Pill.css'
import '@mantine/core/styles/PillsInput.css'
import { stopEscapePropagation } from '#web/parts/stopEscapePropagation.ts'

/** Select field for several admin users, who are searched by name. */
export default function PeopleSelect(props: MultiSelectProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <MultiSelect
      {...props}
      searchable
      openOnFocus={false}
      nothingFoundMessage="No admin users found."
      {...(isOpen ? stopEscapePropagation : {})}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
    />
  )
}
