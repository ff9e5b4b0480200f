import type { Lead } from '#features/crm/leads/contract.ts'
import { leadInputs, type NewLead } from '#features/crm/leads/input.contract.ts'
import { defaultZone } from '#shared/zones.ts'

type Name = keyof typeof leadInputs.shape
/** Form values: strings, as used by inputs; an empty string means none. */
export type LeadValues = { [Field in Name]: Field extends 'tag_ids' | 'cog_types' ? string[] : string }

const names = Object.keys(leadInputs.shape) as Name[]

export const emptyLead = {
  ...Object.fromEntries(names.map((name) => [name, ''])),
  tag_ids: [],
  cog_types: [],
  lead_type: '2',
  color: '0',
  status: '1',
  demo_status: '0',
  timezone: defaultZone,
} as unknown as LeadValues

const numbers = ['lead_for', 'lead_type', 'color', 'status', 'demo_status'] as const

/** Converts a stored lead to form values. */
export function valuesOf(lead: Lead): LeadValues {
  const text = (value: string | number | null | undefined) =>
    value === null || value === undefined ? '' : String(value)
  const shown = (value: Lead[keyof LeadValues]) =>
    Array.isArray(value) ? value.map((one) => text(one)) : text(value)
  return Object.fromEntries(names.map((name) => [name, shown(lead[name])])) as unknown as LeadValues
}

type Sent = NewLead

/** Converts form values to the format of the contract. */
export function toSend(values: LeadValues): Sent {
  const { lead_date, tag_ids, ...texts } = values
  const sent: Record<string, unknown> = { ...texts, tag_ids: tag_ids.map(Number) }
  for (const name of numbers) sent[name] = values[name] === '' ? undefined : Number(values[name])
  if (lead_date) sent['lead_date'] = lead_date
  return sent as Sent
}

/**
 * Returns the fields that differ from the stored ones. Only these are sent, so that concurrent edits of other
 * fields are preserved.
 */
export function changesOf(stored: LeadValues, values: LeadValues): Partial<Sent> {
  const sent = toSend(values) as Record<string, unknown>
  const changed = names.filter((name) => JSON.stringify(stored[name]) !== JSON.stringify(values[name]))
  return Object.fromEntries(changed.map((name) => [name, sent[name]]))
}
