import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'

/** The picture of an admin user, which every area shows beside their name. */
export const profilePicture = endpoint({
  method: 'GET',
  path: '/admin/users/profile-picture/{name}',
  summary: 'Get a profile picture. Its name changes with each upload. Requires the session token.',
  access: 'signed-in',
  params: z.object({
    name: z.string().regex(/^[a-f0-9]{40}\.webp$/, 'This profile picture doesn’t exist.'),
  }),
})
