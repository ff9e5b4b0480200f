import type { Lead } from '#features/crm/leads/contract.ts'
import type { Clash } from '#shared/record.contract.ts'
import type { LeadChange } from '#features/crm/leads/input.contract.ts'

type Sent = Omit<LeadChange, 'lead_id' | 'version' | 'base'>

/**
 * Returns the fields that a person changed from what they saw and that others changed to something else meanwhile.
 * Without `base`, every field that differs counts, because what they saw is unknown.
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
/** Sorts tags, which are a set. */
const normalizeIds = (value: unknown): unknown =>
  Array.isArray(value) && value.every((one) => typeof one === 'number')
    ? [...new Set(value)].toSorted((a, b) => a - b)
    : value
