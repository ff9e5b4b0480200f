import type { Fields } from '#shared/field.ts'
import { leadFields } from '#features/crm/leads/fields.ts'

/** The field of the dialogs for rejecting leads. */
export const rejectionFields = {
  reject_msg: { ...leadFields.reject_msg, empty: '' },
} as const satisfies Fields
