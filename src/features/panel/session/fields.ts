import { roles, type RoleId } from '#shared/access.ts'
import type { Fields } from '#shared/field.ts'
import { codeUpTo, emailOrEmpty, requiredText } from '#shared/schemas.ts'

/** The fields of an admin user. Passwords and sessions are not fields: no history shows them, and no undo restores them. */
export const staffFields = {
  user_name: { label: 'Username', input: requiredText(60) },
  first_name: { label: 'First name', input: requiredText(80) },
  last_name: { label: 'Last name', input: requiredText(80) },
  email: { label: 'Email', input: emailOrEmpty.min(1, 'This field is required.') },
  role_id: {
    label: 'Role',
    input: codeUpTo(13, 'This role doesn’t exist.'),
    words: (role) => roles[role as RoleId]?.name ?? `#${String(role)}`,
  },
  product_ids: { label: 'Products', column: false },
  team_ids: { label: 'Teams', column: false },
} as const satisfies Fields
