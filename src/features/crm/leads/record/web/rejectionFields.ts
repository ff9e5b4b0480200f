import { emptyIsNull, recordId } from '#shared/schemas.ts'
import type { Fields } from '#shared/field.ts'
import { leadFields } from '#features/crm/leads/fields.ts'

/** The fields of the dialogs for rejecting leads. */
export const rejectionFields = {
  reject_reason_id: { ...leadFields.reject_reason_id, input: emptyIsNull(recordId), empty: '' },
  reject_msg: { ...leadFields.reject_msg, empty: '' },
} as const satisfies Fields
