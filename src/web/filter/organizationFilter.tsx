import { Suspense, useState } from 'react'
import type { Filter } from '#web/filter/filters.tsx'
import { useOrganizationName } from '#web/filter/useOrganizationName.ts'
import { SelectButton } from '#web/parts/controls.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'

const OrganizationSelect = lazyPart(() => import('#web/form/OrganizationSelect.tsx'))

interface Options {
  /** Label for the value 0, if the list can be filtered by that value. */
  none?: string | undefined
  /** Name of the list filter that contains the organization ID. */
  field?: string
  label?: string
  any?: string
  /** Limits the options to organizations of this product. */
  product?: number | undefined
  more?: boolean
}

/**
 * Returns a filter for an organization, which users find by searching:
 * `useOrganizationFilter<UserFilters>(list.filters.organization)`.
 */
export function useOrganizationFilter<F extends object>(
  id: number | undefined,
  {
    none,
    field = 'organization',
    label = 'Organization',
    any = 'All organizations',
    product,
    more,
  }: Options = {},
): Filter<F> {
  const found = useOrganizationName(id)
  const name = id === undefined ? undefined : id === 0 ? none : (found ?? `#${id}`)
  return {
    id: field,
    more,
    name: label,
    control: (_filters, onChange) => (
      <OrganizationControl
        id={id}
        name={name}
        none={none}
        label={label}
        any={any}
        product={product}
        onChoose={(chosen) => onChange({ [field]: chosen } as Partial<F>)}
      />
    ),
    says: () => (name === undefined ? undefined : `${label}: ${name}`),
    cleared: { [field]: undefined } as Partial<F>,
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
  label,
  any,
  product,
  onChoose,
}: Pick<Options, 'none' | 'product'> & {
  id: number | undefined
  name: string | undefined
  label: string
  any: string
  onChoose: (id: number | undefined) => void
}) {
  const [isOpen, setOpen] = useState(false)
  const button = (
    <SelectButton label={label} onClick={() => setOpen(true)}>
      {name ?? any}
    </SelectButton>
  )
  if (!isOpen) return button
  return (
    <Suspense fallback={button}>
      <OrganizationSelect
        aria-label={label}
        product={product}
        autoFocus
        defaultDropdownOpened
        value={id === undefined ? '' : String(id)}
        fixed={[{ value: '', label: any }, ...(none === undefined ? [] : [{ value: '0', label: none }])]}
        onChange={(value) => onChoose(value === '' ? undefined : Number(value))}
      />
    </Suspense>
  )
}
