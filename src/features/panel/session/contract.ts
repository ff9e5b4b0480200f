import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import {
  instant,
  lineWithoutInvisible,
  messageReply,
  recordId,
  requiredText,
  storable,
} from '#shared/schemas.ts'
import { sizeInBytes } from '#shared/sizes.ts'
import { ProductShape } from '#shared/products.contract.ts'

/** Texts quoted verbatim from A §5 and §8. */
export const messages = {
  bothEmpty: 'Username & Email is required.',
  usernameEmpty: 'Username is required.',
  passwordEmpty: 'Password is required.',
  loginFailed: 'These credentials do not match our records.',
  passwordTooShort: 'The password must be atleast 8 characters',
  passwordTooShortInline: 'Password must be atleast 8 characters',
  passwordMismatch: 'The password confirmation does not match.',
  passwordFillAll: 'Fill All Fields',
  passwordWrong: 'You have entered wrong password.',
  /** Ours. */
  linkIsOver: 'This link is no longer valid. Request a new one.',
} as const

export const minPasswordLength = 8
/** Longer passwords are rejected before an expensive hash is computed. */
export const maxPasswordLength = 200

export const LoginUser = z.object({
  id: z.number().int(),
  first_name: z.string(),
  last_name: z.string(),
  role_id: z.number().int(),
  slug: z.string(),
  /** Name of the profile picture to pass to `profilePicture`; null if there is none. */
  avatar: z.string().nullable(),
  name: z.string(),
})
export type LoginUser = z.output<typeof LoginUser>

export const SessionReply = z.object({
  user: LoginUser,
  products: z.array(ProductShape),
  user_product: z.array(z.number().int()),
  user_permissions: z.array(z.string()),
})
export type SessionReply = z.output<typeof SessionReply>

export const LoginReply = SessionReply.extend({ token: z.string() })
export type LoginReply = z.output<typeof LoginReply>

export const MySession = z.object({
  id: z.number().int(),
  current: z.boolean(),
  remember: z.boolean(),
  created_at: instant,
  last_used_at: instant,
  expires_at: instant,
  address: z.string(),
  /** Browser and operating system, derived from the user agent. */
  device: z.string(),
})
export type MySession = z.output<typeof MySession>

export const session = {
  login: endpoint({
    method: 'POST',
    path: '/auth/login',
    summary: 'Sign in with a username or email and a password. Returns the token and the session data.',
    act: 'Signed in',
    security: true,
    access: 'public',
    body: z.object({
      username: lineWithoutInvisible(254).default(''),
      password: z.string().max(maxPasswordLength).default(''),
      rememberMe: z.boolean().default(false),
    }),
    response: LoginReply,
  }),
  adminUser: endpoint({
    method: 'GET',
    path: '/auth/admin-user',
    summary: 'Get the signed-in user with their current products and permissions.',
    access: 'signed-in',
    response: SessionReply,
  }),
  forgotPassword: endpoint({
    method: 'POST',
    path: '/auth/forgot-password',
    summary:
      'Email a password reset link to the account with this username or email. The response is the same if no such account exists.',
    act: 'Requested a password reset',
    security: true,
    access: 'public',
    body: z.object({ username: requiredText(254) }),
    response: messageReply,
  }),
  invitation: endpoint({
    method: 'POST',
    reads: true,
    path: '/auth/invitation',
    summary:
      'Get the user that a password link belongs to. Returns 404 if the link has been used, has expired, or never existed.',
    access: 'public',
    body: z.object({ token: storable(z.string().max(100)) }),
    response: z.object({ data: z.object({ name: z.string(), user_name: z.string(), kind: z.string() }) }),
  }),
  setPassword: endpoint({
    method: 'POST',
    path: '/auth/set-password',
    summary: 'Set a password with a one-time email link and end all of the user’s sessions.',
    act: 'Set password',
    security: true,
    access: 'public',
    body: z.object({
      token: storable(z.string().max(100)),
      password: z
        .string()
        .min(minPasswordLength, messages.passwordTooShort)
        .max(maxPasswordLength, `Use ${maxPasswordLength} characters or fewer.`),
    }),
    response: z.object({ message: z.string(), user_name: z.string() }),
  }),
  logout: endpoint({
    method: 'POST',
    path: '/auth/logout',
    summary: 'End the current session.',
    act: 'Signed out',
    security: true,
    access: 'signed-in',
  }),
  mySessions: endpoint({
    method: 'GET',
    path: '/auth/sessions',
    shows: ['session'],
    summary: 'List the caller’s active sessions.',
    access: 'signed-in',
    response: z.object({ data: z.array(MySession) }),
  }),
  revokeSession: endpoint({
    method: 'DELETE',
    path: '/auth/sessions/{id}',
    summary: 'End one of the caller’s sessions.',
    act: 'Ended a session',
    security: true,
    access: 'signed-in',
    params: z.object({ id: recordId }),
    response: messageReply,
  }),
  revokeOthers: endpoint({
    method: 'DELETE',
    path: '/auth/sessions',
    summary: 'End all of the caller’s sessions except the current one.',
    act: 'Ended all other sessions',
    security: true,
    access: 'signed-in',
    response: messageReply,
  }),
  resetPassword: endpoint({
    method: 'POST',
    path: '/admin/users/reset-user-password',
    summary:
      'Change the caller’s password and end their other sessions. flag is true if the current password is wrong (A §7).',
    act: 'Changed password',
    security: true,
    access: { says: 'yourself', permissions: [], allows: (viewer, { body }) => body.id === viewer.id },
    body: z.object({
      oldPassword: z.string().min(1, 'This field is required.').max(maxPasswordLength),
      newPassword: z
        .string()
        .min(minPasswordLength, messages.passwordTooShort)
        .max(maxPasswordLength, `Use ${maxPasswordLength} characters or fewer.`),
      id: recordId,
    }),
    response: z.object({ flag: z.boolean(), message: z.string() }),
  }),
  uploadPicture: endpoint({
    method: 'POST',
    path: '/admin/users/profile-picture',
    summary:
      'Upload the caller’s profile picture (PNG, JPG, WebP, GIF, or AVIF, up to 2 MB), re-encoded as a 256-pixel square.',
    act: 'Changed profile picture',
    access: 'signed-in',
    files: { file: { most: 1, maxBytes: sizeInBytes('2M'), required: true, kinds: ['image'] } },
    response: z.object({ message: z.string(), avatar: z.string() }),
  }),
}
