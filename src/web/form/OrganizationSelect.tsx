import type { ComponentProps } from 'react'
import { organizationNames } from '#shared/organizations.contract.ts'
import { request } from '#web/api/client.ts'
import SearchSelect from '#web/form/SearchSelect.tsx'
import { useOrganizationName } from '#web/filter/useOrganizationName.ts'

interface Props extends Omit<ComponentProps<typeof SearchSelect>, 'of' | 'find' | 'chosen' | 'nothing'> {
  /** Limits the options to organizations of this product. */
  product?: number | undefined
}

/** Select field for an organization; works with any number of organizations. */
export default function OrganizationSelect({ product, ...rest }: Props) {
  const name = useOrganizationName(Number(rest.value))
  return (
    <SearchSelect
      {...rest}
      of={`organization ${product ?? ''}`}
      find={async (search, signal) => {
        const { data, total } = await request(
          organizationNames,
          { query: { search, ...(product === undefined ? {} : { product }) } },
          { signal },
        )
        return {
          options: data.map((one) => ({ value: String(one.id), label: one.name })),
          left: total - data.length,
        }
      }}
      chosen={name ?? ''}
      nothing="No organizations found."
    />
  )
}
