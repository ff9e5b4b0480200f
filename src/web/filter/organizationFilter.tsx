import { Suspense, useState } from 'react'
import IconSelector from '@tabler/icons-react/dist/esm/icons/IconSelector.mjs'
import { useQuery } from '@tanstack/react-query'
import { organizationNames } from '#shared/organizations.contract.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import type { Filter } from '#web/filter/filters.tsx'
import controls from '#web/parts/controls.module.css'
import { lazyPart } from '#web/shell/lazy.tsx'

const OrganizationSelect = lazyPart(() => import('#web/form/OrganizationSelect.tsx'))

const any = 'All organizations'

interface Chosen {
  id: number | undefined
  /** Label of the value 0, if that value is a filter. */
  none?: string | undefined
}

/**
 * Returns a filter for an organization, which users find by searching:
 * `useOrganizationFilter<UserFilters>(list.filters.organization)`.
 */
export function useOrganizationFilter<F extends { organization?: number | undefined }>(
  id: number | undefined,
  none?: string,
): Filter<F> {
  const { data } = useQuery({
    ...queryOptionsFor(organizationNames, { query: { id: id ?? 0 } }),
    enabled: id !== undefined && id > 0,
  })
  const name = id === undefined ? undefined : id === 0 ? none : (data?.data[0]?.name ?? `#${id}`)
  return {
    id: 'organization',
    control: (_filters, onChange) => (
      <OrganizationControl
        id={id}
        name={name}
        none={none}
        onChoose={(organization) => onChange({ organization } as Partial<F>)}
      />
    ),
    says: () => (name === undefined ? undefined : `Organization: ${name}`),
    cleared: { organization: undefined } as Partial<F>,
  }
}

/**
 * A button that looks like the other filters until it is clicked, so that the list page does not have to load
 * search fields.
 */
function OrganizationControl({
  id,
  name,
  none,
  onChoose,
}: Chosen & { name: string | undefined; onChoose: (id: number | undefined) => void }) {
  const [isOpen, setOpen] = useState(false)
  const button = (
    <span className={controls.selectFrame}>
      <button
        type="button"
        className={controls.field}
        aria-label={`Organization: ${name ?? any}`}
        onClick={() => setOpen(true)}
      >
        {name ?? any}
      </button>
      <IconSelector size={14} aria-hidden />
    </span>
  )
  if (!isOpen) return button
  return (
    <Suspense fallback={button}>
      <OrganizationSelect
        aria-label="Organization"
        autoFocus
        defaultDropdownOpened
        value={id === undefined ? '' : String(id)}
        fixed={[{ value: '', label: any }, ...(none === undefined ? [] : [{ value: '0', label: none }])]}
        onChange={(value) => onChoose(value === '' ? undefined : Number(value))}
      />
    </Suspense>
  )
}
