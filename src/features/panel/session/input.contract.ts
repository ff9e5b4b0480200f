import { z } from 'zod'
import { asList, codeUpTo, emailOrEmpty, recordId, requiredText } from '#shared/schemas.ts'
import { editBaseFields } from '#shared/record.contract.ts'

/** Fields of the Edit Profile form. */
export const ProfileForm = z.object({
  id: recordId,
  user_name: requiredText(60),
  first_name: requiredText(80),
  last_name: requiredText(80),
  email: emailOrEmpty.min(1, 'This field is required.'),
  role_id: codeUpTo(13, 'This role doesn’t exist.'),
  /** Only roles 0 and 1 can set this. Products that the caller doesn't have are kept unchanged. */
  product_ids: z.preprocess(asList, z.array(recordId).max(4).optional()),
  team_ids: z.preprocess(asList, z.array(recordId).max(100).optional()),
  ...editBaseFields,
})
