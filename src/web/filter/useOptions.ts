import { useQuery } from '@tanstack/react-query'
import { options, type Option } from '#shared/options.contract.ts'
import { queryOptionsFor } from '#web/api/client.ts'

const staleMs = 60_000
const none: readonly Option[] = []

/**
 * Returns the options of the named lists: `const { contract_statuses } = useLists('contract_statuses')`. They
 * are empty until loaded.
 */
export function useLists<const Name extends string>(
  ...names: Name[]
): Readonly<Record<Name, readonly Option[]>> {
  const { data } = useQuery({
    ...queryOptionsFor(options.lists, { query: { names } }),
    staleTime: staleMs,
  })
  return Object.fromEntries(names.map((name) => [name, data?.data[name] ?? none])) as Record<
    Name,
    readonly Option[]
  >
}

/** Returns the admin users that work can be assigned to, optionally limited to a product. */
export function useStaff(product_id?: number): readonly Option[] {
  const { data } = useQuery({
    ...queryOptionsFor(options.staff, { query: product_id === undefined ? {} : { product_id } }),
    staleTime: staleMs,
  })
  return data?.data ?? none
}

/** Returns the admin users with those who were banned or deactivated, whose names histories have. */
export function useStaffNames(): readonly Option[] {
  const { data } = useQuery({
    ...queryOptionsFor(options.staff, { query: { former: 1 } }),
    staleTime: staleMs,
  })
  return data?.data ?? none
}

/** Converts list options to the options of a select. */
export const asPairs = (entries: readonly Option[]): [number, string][] =>
  entries.map(({ id, name }) => [id, name])
export const asChoices = (entries: readonly Option[], none?: string): { value: string; label: string }[] => [
  ...(none === undefined ? [] : [{ value: '', label: none }]),
  ...entries.map(({ id, name }) => ({ value: String(id), label: name })),
]
