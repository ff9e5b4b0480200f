import { useState } from 'react'
import { MultiSelect, type MultiSelectProps } from '@mantine/core'
import '@mantine/core/styles/Pill.css'
import '@mantine/core/styles/PillsInput.css'
import { keepEnter } from '#web/form/keepEnter.ts'
import { stopEscapePropagation } from '#web/parts/stopEscapePropagation.ts'

/** Select field for several options, which are searched by name. */
export default function SeveralSelect(props: MultiSelectProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <MultiSelect
      {...props}
      {...keepEnter}
      searchable
      openOnFocus={false}
      {...(isOpen ? stopEscapePropagation : {})}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
    />
  )
}
