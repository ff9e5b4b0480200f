import { Suspense, useState } from 'react'
import IconSelector from '@tabler/icons-react/dist/esm/icons/IconSelector.mjs'
import { useQuery } from '@tanstack/react-query'
import { organizationNames } from '#shared/organizations.contract.ts'
import { ask } from '#web/api/client.ts'
import type { Filter } from '#web/filter/filters.tsx'
import controls from '#web/parts/controls.module.css'
import { lazyPart } from '#web/shell/lazy.tsx'

const OrganizationSelect = lazyPart(() => import('#web/form/OrganizationSelect.tsx'))

const any = 'All organizations'

interface Chosen {
  id: number | undefined
  /** What 0 stands for, where it narrows. */
  none?: string | undefined
}

/** The filter by one of the organizations, which are searched for: `useOrganizationFilter<UserFilters>(list.filters.organization)`. */
export function useOrganizationFilter<F extends { organization?: number | undefined }>(id: number | undefined, none?: string): Filter<F> {
  const { data } = useQuery({ ...ask(organizationNames, { query: { id: id ?? 0 } }), enabled: id !== undefined && id > 0 })
  const name = id === undefined ? undefined : id === 0 ? none : (data?.data[0]?.name ?? `No. ${id}`)
  return {
    id: 'organization',
    control: (_filters, onChange) => (
      <OrganizationControl id={id} name={name} none={none} onChoose={(organization) => onChange({ organization } as Partial<F>)} />
    ),
    says: () => (name === undefined ? undefined : `Organization: ${name}`),
    cleared: { organization: undefined } as Partial<F>,
  }
}

/** A button that looks like the other filters until it is wanted: a list loads no fields that search. */
function OrganizationControl({ id, name, none, onChoose }: Chosen & { name: string | undefined; onChoose: (id: number | undefined) => void }) {
  const [isOpen, setOpen] = useState(false)
  const button = (
    <span className={controls.selectFrame}>
      <button type="button" className={controls.field} aria-label={`Organization: ${name ?? any}`} onClick={() => setOpen(true)}>
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
