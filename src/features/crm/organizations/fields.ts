import { z } from 'zod'
import { byName, type Fields } from '#shared/field.ts'
import { emptyIsNull, oneOf, recordId, requiredText, text } from '#shared/schemas.ts'
import { zoneName } from '#shared/zones.ts'

/** An organization's status (A §4). */
export const organizationStatuses = { 1: 'Active', 2: 'Trial', 3: 'Inactive', 4: 'Warning' } as const
export const organizationStatus = oneOf(1, 2, 3, 4)

const domainName = text(253)
  .transform((value) => value.normalize().toLowerCase())
  .refine(
    (value) => value === '' || /^[\p{L}\p{M}\p{N}-]+(\.[\p{L}\p{M}\p{N}-]+)+$/u.test(value),
    'Enter a domain, such as example.com.',
  )
const products = z.preprocess(
  (value) => (Array.isArray(value) ? value : [value]),
  z.array(recordId).min(1, 'Choose at least one product.').max(20),
)

/** The fields of an organization, in the order of the list and of the CSV. */
export const organizationFields = {
  organization_id: { label: 'Number', column: false, reply: z.number().int(), csv: true },
  name: {
    label: 'Name',
    input: requiredText(200),
    reply: z.string(),
    list: { sortBy: 'name', width: 240, always: true },
    csv: true,
  },
  status: {
    label: 'Status',
    reply: z.number().int(),
    words: byName(organizationStatuses),
    list: { sortBy: 'status', width: 110 },
    csv: true,
  },
  trial_end_date: {
    label: 'Trial ends',
    reply: z.string().nullable(),
    list: { id: 'trial', sortBy: 'trial_end_date', width: 190 },
    csv: true,
  },
  user_name: {
    label: 'Primary user',
    column: false,
    reply: z.string(),
    list: { id: 'user', width: 145 },
  },
  product_ids: {
    label: 'Products',
    of: 'products',
    column: false,
    input: products,
    reply: z.array(z.number().int()),
    shownAs: 'products',
    list: { id: 'products', width: 130 },
    csv: true,
  },
  state: {
    label: 'State',
    input: text(80),
    reply: z.string(),
    list: { width: 110, hiddenAtFirst: true },
    csv: true,
  },
  country: {
    label: 'Country',
    input: text(80),
    reply: z.string(),
    list: { sortBy: 'country', width: 115 },
    csv: true,
  },
  timezone: {
    label: 'Time zone',
    input: zoneName,
    reply: z.string(),
    list: { id: 'time', align: 'right', width: 110, hiddenAtFirst: true },
    csv: true,
  },
  users: {
    label: 'Users',
    column: false,
    reply: z.number().int(),
    list: { align: 'right', width: 70 },
    csv: true,
  },
  assign_to: {
    label: 'Account owner',
    of: 'staff',
    input: emptyIsNull(recordId),
    reply: z.number().int().nullable(),
    shownAs: 'assigned_name',
    list: { id: 'assigned', width: 140 },
    csv: true,
  },
  domain: { label: 'Domain', input: domainName, reply: z.string() },
  video_label: { label: 'Demo video', reply: z.string() },
  video_link: { label: 'Demo video link', reply: z.string() },
} as const satisfies Fields
