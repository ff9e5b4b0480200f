import { currencies } from '#shared/currencies.ts'
import { offeredZones } from '#shared/zones.ts'
import type { LeadOptions } from '#features/crm/leads/contract.ts'
import { hasChoices, type CustomField } from '#features/crm/leads/custom-fields.rules.ts'
import { customFieldOf, type ColumnTarget } from '#features/crm/leads/import/mapping.contract.ts'
import { billings, demoStates, leadTypes, rejectedStatus } from '#features/crm/leads/rules.ts'

type Choices = { several?: true; names: (readonly [value: string, label: string])[] }
const byName = (names: readonly string[]) => names.map((name) => [name, name] as const)

/** Returns the values of a field to choose from, as a cell would have them; undefined for a field without a list. */
export function choicesOf(
  field: ColumnTarget,
  options: LeadOptions,
  custom: readonly CustomField[],
): Choices | undefined {
  const own = customFieldOf(field, custom)
  if (own?.type === 'yes_no') return { names: byName(['Yes', 'No']) }
  if (own && hasChoices(own.type)) {
    const names = byName(own.choices.filter((one) => !one.is_removed).map(({ name }) => name))
    return own.type === 'choices' ? { several: true, names } : { names }
  }
  return ofTarget(options)[field]
}

const ofTarget = (options: LeadOptions): Readonly<Record<string, Choices>> => {
  const named = (entries: readonly { name: string }[]) => ({ names: byName(entries.map(({ name }) => name)) })
  return {
    status: named(options.statuses.filter(({ id }) => id !== rejectedStatus)),
    color: named(options.colors),
    assign_to: { names: options.staff.map(({ id, name }) => [`#${id}`, name] as const) },
    tag_ids: { several: true, ...named(options.tags) },
    cog_types: { several: true, names: byName(options.cog_types) },
    services: { names: byName(options.services) },
    hear_about: { names: byName(options.sources) },
    lead_type: { names: byName(Object.values(leadTypes)) },
    demo_status: { names: byName(Object.values(demoStates)) },
    recurring: { names: byName(Object.values(billings)) },
    currency: { names: byName(currencies) },
    timezone: { names: byName(offeredZones) },
  }
}
