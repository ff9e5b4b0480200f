import { z } from 'zod'
import { dayText } from '#shared/dates.ts'
import { byName, type Field, type ListColumn } from '#shared/field.ts'
import { numberText } from '#shared/money.ts'
import { moneyAmount } from '#shared/numbers.ts'
import {
  code,
  currencyCode,
  emailOrEmpty,
  emptyIsNull,
  lineWithoutInvisible,
  oneOf,
  plainDay,
  recordId,
  requiredText,
  text,
  webAddressOrEmpty,
} from '#shared/schemas.ts'
import { zoneName } from '#shared/zones.ts'
import { CustomValues, CustomValuesInput } from '#features/crm/leads/custom-fields.rules.ts'
import { billings, demoStates, leadTypes } from '#features/crm/leads/rules.ts'

/**
 * `merge` decides what a merge does with a column: the user chooses one of the two values, in this place of
 * the dialog, or merge.ts handles the column separately.
 */
type LeadField = Field & ({ column: false } | { merge: number | false })

const int = z.number().int()
const string = z.string()
const dayOrNull = emptyIsNull(plainDay)
const idOrNull = emptyIsNull(recordId)
const nameOrNull = emptyIsNull(requiredText(80))
const details = z.array(z.object({ label: string, value: string }))

/** A column of the list that is hidden until the user shows it. */
const hidden = (width: number, place: Omit<ListColumn, 'width'> = {}): ListColumn => ({
  ...place,
  width,
  hiddenAtFirst: true,
})

const wide = hidden(200)

/**
 * The fields of a lead, in the order of the CSV. `detail` values are only in replies with a whole lead. In a
 * new lead, fields that are left out get their column defaults.
 */
export const leadFields = {
  lead_id: {
    label: 'Number',
    column: false,
    reply: int,
    list: hidden(90, { id: 'number', after: 'tags', sortBy: 'lead_id', align: 'right' }),
    csv: true,
  },
  companyName: {
    label: 'Company',
    column: 'company_name',
    merge: 1,
    input: requiredText(200),
    empty: '',
    reply: string,
    list: { id: 'company', sortBy: 'companyName', width: 200, always: true },
    csv: true,
  },
  /** A merge takes the whole primary contact from one lead: also `contact_role`, `email`, and `phone`. */
  contactName: {
    label: 'Contact',
    column: 'contact_name',
    merge: 2,
    input: text(200),
    empty: '',
    reply: string,
    list: { id: 'contact', sortBy: 'contactName', width: 135 },
    csv: true,
  },
  contact_role: {
    label: 'Contact role',
    merge: false,
    input: text(80),
    empty: '',
    detail: string,
    list: hidden(130, { after: 'contact' }),
    csv: true,
  },
  email: {
    label: 'Email',
    merge: false,
    input: emailOrEmpty,
    empty: '',
    reply: string,
    list: hidden(200),
    csv: true,
  },
  phone: {
    label: 'Phone',
    merge: false,
    input: lineWithoutInvisible(60),
    empty: '',
    reply: string,
    list: { width: 130 },
    csv: true,
  },
  country: {
    label: 'Country',
    merge: 5,
    input: text(80),
    empty: '',
    reply: string,
    list: hidden(120, { sortBy: 'country' }),
    csv: true,
  },
  /** A new lead without one gets that of its phone number or country, or else its creator's. */
  timezone: {
    label: 'Time zone',
    merge: 6,
    input: zoneName,
    empty: '',
    detail: string,
    list: hidden(150, { after: 'country' }),
    csv: true,
  },
  company_url: {
    label: 'Website',
    merge: 11,
    input: webAddressOrEmpty,
    empty: '',
    reply: string,
    list: hidden(160, { id: 'website', after: 'country' }),
    csv: true,
  },
  lead_for: { label: 'Product', of: 'products', merge: 7, input: recordId, empty: '', reply: int, csv: true },
  status: {
    label: 'Status',
    merge: 19,
    input: code,
    empty: '1',
    reply: int,
    list: { after: 'contact', sortBy: 'status', width: 170 },
    csv: true,
  },
  /** Why the lead was rejected, as an entry of a list; `reject_msg` has the words. */
  reject_reason_id: {
    label: 'Reject reason',
    merge: false,
    detail: int.nullable(),
    shownAs: 'reject_reason',
    list: hidden(140, { after: 'status' }),
    csv: true,
  },
  reject_msg: {
    label: 'Reason',
    merge: false,
    reply: string.nullable(),
    list: hidden(200, { after: 'reject_reason_id' }),
    csv: true,
  },
  color: {
    label: 'Priority',
    merge: 18,
    input: code,
    empty: '0',
    reply: int,
    list: { id: 'priority', after: 'status', sortBy: 'color', width: 105 },
    csv: true,
  },
  assign_to: {
    label: 'Assignee',
    of: 'staff',
    merge: 16,
    input: idOrNull,
    empty: '',
    reply: int.nullable(),
    shownAs: 'assigned_name',
    list: { id: 'assigned', after: 'priority', sortBy: 'assign_to', width: 130 },
    csv: true,
  },
  followup_date: {
    label: 'Follow-up',
    merge: 23,
    input: dayOrNull,
    empty: '',
    reply: string.nullable(),
    list: { id: 'followup', after: 'priority', sortBy: 'followup_date', align: 'right', width: 160 },
    csv: 'Follow-up date',
  },
  /** The day when the lead was created; defaults to the server's date. */
  lead_date: {
    label: 'Lead date',
    merge: 21,
    input: plainDay,
    empty: '',
    reply: string,
    list: { id: 'date', after: 'tags', sortBy: 'lead_date', align: 'right', width: 105 },
    csv: true,
  },
  request_date: {
    label: 'Request date',
    merge: 22,
    input: dayOrNull,
    empty: '',
    reply: string.nullable(),
    list: hidden(120, { id: 'request', after: 'tags', sortBy: 'request_date', align: 'right' }),
    csv: true,
  },
  implement_date: {
    label: 'Implementation date',
    merge: 13,
    input: dayOrNull,
    empty: '',
    detail: string.nullable(),
    list: hidden(150, { id: 'implementation', after: 'tags', align: 'right' }),
    csv: true,
  },
  /** The value of the lead, in its currency. A merge takes both from one lead. */
  amount: {
    label: 'Amount',
    merge: 25,
    input: emptyIsNull(moneyAmount),
    empty: '',
    reply: z.number().nullable(),
    words: (value) => (typeof value === 'number' ? numberText(value) : String(value)),
    list: hidden(130, { after: 'followup', align: 'right' }),
    csv: true,
  },
  currency: {
    label: 'Currency',
    merge: false,
    input: emptyIsNull(currencyCode),
    empty: '',
    reply: string.nullable(),
    list: hidden(90, { after: 'amount' }),
    csv: true,
  },
  recurring: {
    label: 'Billing',
    merge: 26,
    input: z.enum(['once', 'monthly', 'yearly'], 'Choose once, monthly, or yearly.'),
    empty: 'once',
    reply: string,
    words: byName(billings),
    list: hidden(90, { id: 'billing', after: 'amount' }),
    csv: true,
  },
  expected_close: {
    label: 'Expected close',
    merge: 27,
    input: dayOrNull,
    empty: '',
    reply: string.nullable(),
    words: (value) => dayText(String(value)),
    list: hidden(145, { id: 'close', after: 'billing', sortBy: 'expected_close', align: 'right' }),
    csv: true,
  },
  lead_type: {
    label: 'Type',
    merge: 17,
    input: oneOf(1, 2),
    empty: '2',
    reply: int,
    words: byName(leadTypes),
    list: hidden(100, { id: 'type', sortBy: 'lead_type' }),
    csv: true,
  },
  demo_status: {
    label: 'Demo',
    merge: 20,
    input: oneOf(0, 1, 2, 3),
    empty: '0',
    reply: int,
    words: byName(demoStates),
    list: hidden(110, { id: 'demo' }),
    csv: true,
  },
  services: {
    label: 'Service',
    merge: 8,
    input: nameOrNull,
    empty: '',
    reply: string.nullable(),
    list: hidden(140, { id: 'service', after: 'country' }),
    csv: true,
  },
  hear_about: {
    label: 'Source',
    merge: 12,
    input: nameOrNull,
    empty: '',
    reply: string.nullable(),
    list: hidden(130, { id: 'source', after: 'service' }),
    csv: true,
  },
  /** Days without activity, if these are more than the lead's status allows; else null. */
  stuck_days: {
    label: 'Stuck',
    column: false,
    reply: int.nullable(),
    words: (value) => (value === 1 ? '1 day' : `${String(value)} days`),
    list: hidden(90, { id: 'stuck', after: 'status', align: 'right' }),
  },
  tag_ids: {
    label: 'Tags',
    column: false,
    input: z.array(recordId).max(50),
    empty: [] as string[],
    formValue: ({ tag_ids }: { tag_ids?: number[] }) => tag_ids?.map(String),
    reply: z.array(int),
    list: hidden(160, { id: 'tags' }),
    csv: true,
  },
  cog_types: {
    label: 'Types of goods',
    merge: 15,
    input: z.array(requiredText(80)).max(20),
    empty: [] as string[],
    detail: z.array(string),
    list: hidden(160, { id: 'goods', after: 'service' }),
    csv: true,
  },
  additional_info: {
    label: 'Additional info',
    merge: 14,
    input: text(10_000),
    empty: '',
    detail: string,
    list: hidden(200),
    csv: true,
  },
  answer: { label: 'Answer', merge: 9, input: text(2000), empty: '', detail: string, list: wide, csv: true },
  join: { label: 'Join', merge: 10, input: text(2000), empty: '', detail: string, list: wide, csv: true },
  /** Key of the lead's row in the imported file; unique within a product. */
  reference: {
    label: 'External ID',
    merge: 24,
    detail: string.nullable(),
    list: hidden(120, { after: 'number' }),
    csv: 'Key',
  },
  /** Columns of an imported file that don't map to a lead field, unchanged. */
  details: { label: 'Details', merge: false, detail: details, csv: 'Imported details' },
  /** Values of the product’s own fields, by the ID of the field. */
  custom_values: {
    label: 'Custom fields',
    merge: false,
    input: CustomValuesInput,
    reply: CustomValues,
  },
  /** The contacts besides the primary one, a line each. */
  other_contacts: {
    label: 'Other contacts',
    column: false,
    list: hidden(200, { after: 'phone' }),
    csv: true,
  },
  /** The organization created from the lead; replies leave out an organization in the trash. */
  organization_id: {
    label: 'Organization',
    merge: false,
    shownAs: 'organization_name',
    list: hidden(150),
  },
  merged_into: { label: 'Merged into', merge: false },
  demo_ids: { label: 'Sessions', column: false },
  /** Result of the last website check; null before the first check. */
  website_up: {
    label: 'Website up',
    column: false,
    detail: z.boolean().nullable(),
    words: (value) => (value === true ? 'Yes' : 'No'),
    list: hidden(110, { after: 'website' }),
  },
  website_checked_url: { label: 'Checked URL', column: false, detail: string.nullable() },
  created_at: { label: 'Created', column: false, list: hidden(130) },
  created_by: {
    label: 'Created by',
    column: false,
    shownAs: 'created_by_name',
    list: hidden(130, { after: 'created_at' }),
  },
  updated_at: { label: 'Updated', column: false, list: hidden(130) },
  /** The time of the last change, note, call, email, or session. */
  last_activity: { label: 'Last activity', column: false, list: hidden(130) },
} as const satisfies Readonly<Record<string, LeadField>>

type LeadFields = typeof leadFields
export type MergeableField = {
  [Name in keyof LeadFields]: LeadFields[Name] extends { merge: number } ? Name : never
}[keyof LeadFields]

/** Fields for which a merge keeps the value of only one lead; tags and details of both leads are kept. */
export const mergeableFields = Object.entries(leadFields)
  .flatMap(([name, field]) => ('merge' in field && field.merge ? [[field.merge, name] as const] : []))
  .toSorted(([one], [other]) => one - other)
  .map(([, name]) => name) as [MergeableField, ...MergeableField[]]
