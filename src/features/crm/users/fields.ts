import { z } from 'zod'
import { byName, type Fields } from '#shared/field.ts'
import {
  emailOrEmpty,
  flag,
  instant,
  lineWithoutInvisible,
  recordId,
  requiredText,
  text,
} from '#shared/schemas.ts'

const int = z.number().int()
const yesOrNo = (value: unknown) => (value ? 'Yes' : 'No')
const emailOrNone = z
  .preprocess((value) => (value === null ? '' : value), emailOrEmpty)
  .transform((value) => (value === '' ? null : value))

/** The fields of a customer user, in the order of the CSV. */
export const userFields = {
  id: { label: 'Number', column: false, reply: int, csv: true },
  first_name: {
    label: 'First name',
    input: requiredText(80),
    reply: z.string(),
    empty: '',
    csv: true,
  },
  last_name: {
    label: 'Last name',
    input: text(80),
    reply: z.string(),
    empty: '',
    csv: true,
  },
  /** First and last name. */
  name: {
    label: 'Name',
    column: false,
    reply: z.string(),
    list: { sortBy: 'name', width: 190, always: true },
  },
  email: {
    label: 'Email',
    input: emailOrNone,
    reply: z.string().nullable(),
    empty: '',
    list: { after: 'organization', width: 220 },
    csv: true,
  },
  phone: {
    label: 'Phone',
    input: lineWithoutInvisible(60),
    reply: z.string(),
    empty: '',
    list: { after: 'email', width: 140 },
    csv: true,
  },
  organization_id: {
    label: 'Organization',
    of: 'organizations',
    input: recordId,
    reply: int,
    empty: '',
    shownAs: 'organization',
    list: { id: 'organization', sortBy: 'organization', width: 200 },
    csv: true,
  },
  role_id: {
    label: 'Role',
    input: recordId,
    reply: int,
    empty: '3',
    shownAs: 'role',
    list: { id: 'role', width: 130 },
    csv: true,
  },
  is_master: {
    label: 'Master',
    input: z.boolean('This must be true or false.'),
    reply: z.boolean(),
    empty: false,
    words: yesOrNo,
    csv: true,
  },
  status: {
    label: 'Status',
    input: flag,
    reply: int,
    empty: '1',
    words: byName({ 0: 'Inactive', 1: 'Active' }),
    list: { sortBy: 'status', width: 100 },
    csv: true,
  },
  is_subscribed: {
    label: 'Emails',
    input: flag,
    reply: int,
    empty: '1',
    shownAs: ({ is_subscribed }: { is_subscribed: number }) => yesOrNo(is_subscribed),
    list: { id: 'subscribed', width: 120 },
    csv: 'Subscribed',
  },
  banned_at: {
    label: 'Banned',
    column: false,
    reply: instant.nullable(),
    shownAs: ({ banned_at }: { banned_at: string | null }) => yesOrNo(banned_at),
    csv: true,
  },
  /** Null for a banned user means that the ban lasts until it is lifted. */
  banned_until: { label: 'Banned until', column: false, reply: instant.nullable() },
  ban_reason: { label: 'Reason', column: false, reply: z.string() },
} as const satisfies Fields
