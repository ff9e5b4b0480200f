import type { ComponentProps } from 'react'
import { searchText } from '#shared/search-text.ts'
import type { Option } from '#web/form/inputs.tsx'
import SearchSelect from '#web/form/SearchSelect.tsx'

interface Props extends Omit<ComponentProps<typeof SearchSelect>, 'of' | 'find' | 'chosen' | 'nothing'> {
  people: readonly Option[]
}

const mostOffered = 50

/** Select field for an admin user, which is searched by any parts of the name. */
export default function PersonSelect({ people, ...rest }: Props) {
  return (
    <SearchSelect
      {...rest}
      of={`person ${people.map(({ value }) => value).join()}`}
      find={(search) => {
        const words = searchText(search).split(/\s+/)
        const found = people.filter(({ label }) => words.every((word) => searchText(label).includes(word)))
        return Promise.resolve({
          options: found.slice(0, mostOffered),
          left: Math.max(0, found.length - mostOffered),
        })
      }}
      chosen={people.find(({ value }) => value === rest.value)?.label}
      nothing="No admin users found."
    />
  )
}
