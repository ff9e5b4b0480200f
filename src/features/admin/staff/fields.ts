import { z } from 'zod'
import { roles, type RoleId } from '#shared/access.ts'
import type { Fields } from '#shared/field.ts'
import { withoutInvisible } from '#shared/invisible.ts'
import { codeUpTo, emailOrEmpty, requiredText } from '#shared/schemas.ts'

/** The fields of an admin user. Passwords and sessions are not fields: no history shows them, and no undo restores them. */
export const staffFields = {
  name: { label: 'Name', column: false, list: { width: 180, always: true } },
  user_name: {
    label: 'Username',
    input: requiredText(60).overwrite(withoutInvisible),
    reply: z.string(),
    list: { width: 130 },
  },
  first_name: { label: 'First name', input: requiredText(80), reply: z.string() },
  last_name: { label: 'Last name', input: requiredText(80), reply: z.string() },
  email: {
    label: 'Email',
    input: emailOrEmpty.min(1, 'This field is required.'),
    reply: z.string(),
    list: { width: 210 },
  },
  role_id: {
    label: 'Role',
    input: codeUpTo(13, 'This role doesn’t exist.'),
    reply: z.number().int(),
    words: (role) => roles[role as RoleId]?.name ?? `#${String(role)}`,
    list: { id: 'role', width: 140 },
  },
  product_ids: { label: 'Products', column: false, list: { id: 'products', width: 165 } },
  team_ids: {
    label: 'Teams',
    column: false,
    shownAs: ({ teams }: { teams: { name: string }[] }) => teams.map(({ name }) => name).join(', '),
    list: { id: 'teams', width: 125 },
  },
  state: { label: 'Status', column: false, list: { width: 100 } },
  last_signed_in: {
    label: 'Last seen',
    column: false,
    list: { id: 'seen', align: 'right', width: 120 },
  },
} as const satisfies Fields
