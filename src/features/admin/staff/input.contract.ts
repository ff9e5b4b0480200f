import { z } from 'zod'
import { inputsOf } from '#shared/field.ts'
import { recordId } from '#shared/schemas.ts'
import { editBaseFields } from '#shared/record.contract.ts'
import { staffFields } from '#features/admin/staff/fields.ts'

/** Texts of the Edit Profile form, quoted verbatim from A §5 and §8. */
export const profileMessages = {
  required: 'Please Fill All Required Fields',
  updated: 'Profile Updated Successfully!',
} as const

/** Fields of the Edit Profile form. */
export const ProfileForm = z.object({
  id: recordId,
  ...inputsOf(staffFields),
  /** Only roles 0 and 1 can set this. Products that the caller doesn't have are kept unchanged. */
  product_ids: staffFields.product_ids.input.optional(),
  team_ids: staffFields.team_ids.input.optional(),
  ...editBaseFields,
})
