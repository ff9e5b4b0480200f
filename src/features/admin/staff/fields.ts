import { z } from 'zod'
import { roles, type RoleId } from '#shared/access.ts'
import type { Fields } from '#shared/field.ts'
import { withoutInvisible } from '#shared/invisible.ts'
import { asList, codeUpTo, emailOrEmpty, recordId, requiredText } from '#shared/schemas.ts'

const idsUpTo = (most: number) => z.preprocess(asList, z.array(recordId).max(most))

/** The fields of an admin user. Passwords and sessions are not fields: no history shows them, and no undo restores them. */
export const staffFields = {
  name: { label: 'Name', column: false, list: { width: 180, always: true } },
  user_name: {
    label: 'Username',
    input: requiredText(60).overwrite(withoutInvisible),
    reply: z.string(),
    empty: '',
    list: { width: 130, hiddenAtFirst: true },
  },
  first_name: { label: 'First name', input: requiredText(80), reply: z.string(), empty: '' },
  last_name: { label: 'Last name', input: requiredText(80), reply: z.string(), empty: '' },
  email: {
    label: 'Email',
    input: emailOrEmpty.min(1, 'This field is required.'),
    reply: z.string(),
    empty: '',
    list: { width: 210 },
  },
  role_id: {
    label: 'Role',
    input: codeUpTo(13, 'This role doesn’t exist.'),
    reply: z.number().int(),
    empty: '2',
    words: (role) => roles[role as RoleId]?.name ?? `#${String(role)}`,
    list: { id: 'role', width: 140 },
  },
  product_ids: {
    label: 'Products',
    of: 'products',
    column: false,
    input: idsUpTo(4),
    empty: [] as string[],
    formValue: ({ products }: { products?: readonly number[] }) => products?.map(String),
    list: { id: 'products', width: 165 },
  },
  team_ids: {
    label: 'Teams',
    of: 'teams',
    column: false,
    input: idsUpTo(100),
    empty: [] as string[],
    formValue: ({ teams }: { teams?: readonly { id: number }[] }) => teams?.map(({ id }) => String(id)),
    shownAs: ({ teams }: { teams: { name: string }[] }) => teams.map(({ name }) => name).join(', '),
    list: { id: 'teams', width: 125 },
  },
  state: { label: 'Status', column: false, list: { width: 120 } },
  last_signed_in: {
    label: 'Last seen',
    column: false,
    list: { id: 'seen', align: 'right', width: 120 },
  },
  session_count: { label: 'Sessions', column: false, list: { id: 'sessions', align: 'right', width: 85 } },
} as const satisfies Fields
