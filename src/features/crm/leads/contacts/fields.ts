import type { Fields } from '#shared/field.ts'

/** The fields of a lead's other contacts in forms. */
export const contactFields = {
  name: { label: 'Name', empty: '' },
  role: { label: 'Role', empty: '' },
  email: { label: 'Email', empty: '' },
  phone: { label: 'Phone', empty: '' },
} as const satisfies Fields
