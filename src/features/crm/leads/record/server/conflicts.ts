import type { Lead } from '#features/crm/leads/contract.ts'
import type { Clash } from '#shared/record.contract.ts'
import type { LeadChange } from '#features/crm/leads/input.contract.ts'

type Sent = Omit<LeadChange, 'lead_id' | 'version' | 'base'>

/**
 * Returns the fields that a user changed and that others have since changed to a different value. Without
 * `base`, every field that differs counts, because it is unknown what the user saw.
 */
export function findConflicts(current: Lead, sent: Sent, base: Record<string, unknown> = {}): Clash[] {
  const held = current as unknown as Record<string, unknown>
  return Object.entries(sent).flatMap(([field, yours]) => {
    const theirs = held[field]
    const untouched = Object.hasOwn(base, field) && isSame(base[field], theirs)
    return yours === undefined || untouched || isSame(yours, theirs) ? [] : [{ field, yours, theirs }]
  })
}

const isSame = (one: unknown, other: unknown) =>
  JSON.stringify(normalizeIds(one)) === JSON.stringify(normalizeIds(other))
/** Sorts IDs, because tags are a set. */
const normalizeIds = (value: unknown): unknown =>
  Array.isArray(value) && value.every((one) => typeof one === 'number')
    ? [...new Set(value)].toSorted((a, b) => a - b)
    : value
