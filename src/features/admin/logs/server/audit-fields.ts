import { sql } from 'kysely'
import type { Fields } from '#shared/field.ts'
import { recordFields } from '#features/admin/logs/contract.ts'
import { contractFields } from '#features/admin/customer-contracts/fields.ts'
import { staffFields } from '#features/admin/staff/fields.ts'
import { leadFields } from '#features/crm/leads/fields.ts'
import { notificationFields } from '#features/crm/notifications/fields.ts'
import { onboardingFields } from '#features/crm/onboarding/fields.ts'
import { organizationFields } from '#features/crm/organizations/fields.ts'
import { quickTaskFields } from '#features/crm/quick-tasks/fields.ts'
import { ticketFields } from '#features/crm/support/fields.ts'
import { userFields } from '#features/crm/users/fields.ts'
import { taskFields } from '#features/tasks/tasks/fields.ts'
import type { Db } from '#server/db/db.ts'
import type { OptionLists } from '#server/record/option-lists.ts'

const fieldsByArea: Readonly<Record<string, Fields>> = {
  contract: contractFields,
  customer_user: userFields,
  designer_task: taskFields,
  lead: leadFields,
  notification: notificationFields,
  onboarding: onboardingFields,
  organization: organizationFields,
  quick_task: quickTaskFields,
  staff: staffFields,
  task: taskFields,
  ticket: ticketFields,
}

type Named = readonly [label: string, list: string]
/** Tables whose names this log reads itself; those of records are found for the viewer. */
const tables: readonly string[] = ['products', 'staff', 'task_types', 'teams']
/** Fields with IDs that no record type declares. */
const commonFields: Readonly<Record<string, Named>> = {
  assign_to: ['Assignee', 'staff'],
  staff_id: ['Admin user', 'staff'],
  product_id: ['Product', 'products'],
}
const namedByArea: Readonly<Record<string, typeof commonFields>> = {
  lead: { status: ['Status', 'statuses'], color: ['Priority', 'colors'], tag_ids: ['Tags', 'tags'] },
  contract: { status: ['Status', 'contract_statuses'] },
  ticket: {
    status: ['Status', 'ticket_statuses'],
    category: ['Category', 'ticket_categories'],
    list_id: ['Board list', 'board_lists'],
    tag_ids: ['Tags', 'ticket_tags'],
  },
  notification: { type: ['Type', 'notification_types'] },
  quick_task: { type: ['Type', 'quick_task_types'] },
  onboarding: { stage: ['Stage', 'onboarding_stages'] },
}
const otherLabels: Readonly<Record<string, string>> = {
  mail: 'Subject',
  mail_to: 'To',
  remember: 'Stays signed in',
  org_id: 'Organization',
  organization_id: 'Organization',
  organization_ids: 'Organizations',
  user_id: 'User',
  customer_user_id: 'User',
  lead_id: 'Lead',
  onboarding_id: 'Onboarding',
  task_id: 'Task',
  ticket_id: 'Ticket',
}

function namedOf(area: string, field: string): Named | undefined {
  const { label, of } = fieldsByArea[area]?.[field] ?? {}
  if (label !== undefined && of !== undefined && tables.includes(of)) return [label, of]
  return namedByArea[area]?.[field] ?? commonFields[field]
}

/** Returns the label of a record type's field; null if the field's own name is its label. */
export const labelOfField = (area: string, field: string): string | null =>
  fieldsByArea[area]?.[field]?.label ?? namedOf(area, field)?.[0] ?? otherLabels[field] ?? null

/** Formats a value of a field; undefined if the value is read as it is. */
export type Wording = (area: string, field: string, value: unknown) => string | undefined

const isEmpty = (value: unknown) => value === null || value === '' || (Array.isArray(value) && !value.length)

/**
 * Returns the wording of values, which has the names of people, products, list entries, and records instead
 * of their IDs. `products` are the viewer's.
 */
export async function wordingOf(
  db: Db,
  changes: readonly { area: string; field: string }[],
  { optionLists, products }: { optionLists: OptionLists; products: readonly number[] },
  nameOf: (type: string, id: number) => string | undefined,
): Promise<Wording> {
  const lists = new Set(changes.flatMap(({ area, field }) => namedOf(area, field)?.[1] ?? []))
  const names = new Map(
    await Promise.all([...lists].map(async (list) => [list, await namesOf(db, list, optionLists)] as const)),
  )
  return (area, field, value) => {
    if (isEmpty(value)) return undefined
    const list = namedOf(area, field)?.[1]
    const type = recordFields[field]
    if (list === undefined && type === undefined) return fieldsByArea[area]?.[field]?.words?.(value)
    const nameOfOne = (one: unknown) => {
      if (typeof one !== 'number') return String(one)
      if (list === undefined) return nameOf(type!, one) ?? `#${one}`
      const isHidden = list === 'products' && !products.includes(one)
      return (isHidden ? undefined : names.get(list)?.get(one)) ?? `#${one}`
    }
    return (Array.isArray(value) ? value : [value]).map(nameOfOne).join(', ')
  }
}

async function namesOf(db: Db, list: string, optionLists: OptionLists): Promise<Map<number, string>> {
  const table = tables.includes(list) ? list : optionLists.get(list).table
  const { rows } = await sql<{ id: number; name: string }>`select id, name::text as name
    from ${sql.table(table)}`.execute(db)
  return new Map(rows.map(({ id, name }) => [id, name]))
}
