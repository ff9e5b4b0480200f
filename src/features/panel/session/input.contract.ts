import { z } from 'zod'
import { codeUpTo, emailOrEmpty, recordId, requiredText } from '#shared/fields.ts'

/** What Edit Profile writes. */
export const ProfileForm = z.object({
  id: recordId,
  user_name: requiredText(60),
  first_name: requiredText(80),
  last_name: requiredText(80),
  email: emailOrEmpty.min(1, 'This field is required.'),
  role_id: codeUpTo(13, 'There is no such role.'),
})
