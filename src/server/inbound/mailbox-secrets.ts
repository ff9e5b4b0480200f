import { z } from 'zod'
import type { App } from '#server/app.ts'
import type { MailboxRow } from '#server/inbound/mailboxes.ts'
import { postPublicForm } from '#server/public-fetch.ts'
import { decryptSecret, encryptSecret } from '#server/secrets/secrets.ts'

/** The encrypted part of a mailbox's sign-in. */
const Secret = z.union([
  z.object({ password: z.string() }),
  z.object({ client_secret: z.string(), refresh_token: z.string() }),
])
export type MailboxSecret = z.output<typeof Secret>

const placeOf = (id: number) => `mailbox ${id}`

export const encryptMailboxSecret = (key: Buffer, id: number, secret: MailboxSecret): Buffer =>
  encryptSecret(key, placeOf(id), JSON.stringify(secret))

/**
 * Returns a stored secret encrypted with another key; undefined if it already is.
 * @throws Error if neither key decrypts it.
 */
export function rotateMailboxSecret(
  from: Buffer,
  to: Buffer,
  id: number,
  stored: Buffer,
): Buffer | undefined {
  try {
    return encryptSecret(to, placeOf(id), decryptSecret(from, placeOf(id), stored))
  } catch (error) {
    try {
      decryptSecret(to, placeOf(id), stored)
      return undefined
    } catch {
      throw error
    }
  }
}

type Settings = Pick<App['settings'], 'secretsKey' | 'mailboxPasswords'>

/** @throws Error with a message for administrators if the secret is missing or can't be decrypted. */
function readSecret({ secretsKey, mailboxPasswords }: Settings, { id, secret }: MailboxRow): MailboxSecret {
  const password = mailboxPasswords.get(id)
  if (password !== undefined) return { password }
  if (secret === null) throw new Error(`The password is missing. Enter it, or set MAILBOX_PASSWORD_${id}.`)
  if (secretsKey === undefined) throw new Error('SECRETS_KEY is missing, so the password can’t be decrypted.')
  try {
    return Secret.parse(JSON.parse(decryptSecret(secretsKey, placeOf(id), secret)))
  } catch {
    throw new Error('The password can’t be decrypted with this SECRETS_KEY. Enter it again.')
  }
}

const Token = z.object({ access_token: z.string().min(1) })

/** Returns what signs in to a mailbox: its password, or an access token that its OAuth server gives for the refresh token. */
export async function signInTo(
  { settings, outside }: Pick<App, 'settings' | 'outside'>,
  mailbox: MailboxRow,
): Promise<{ user: string; pass?: string; accessToken?: string }> {
  const secret = readSecret(settings, mailbox)
  const user = mailbox.username
  if ('password' in secret) return { user, pass: secret.password }
  const form = {
    grant_type: 'refresh_token',
    client_id: mailbox.client_id,
    client_secret: secret.client_secret,
    refresh_token: secret.refresh_token,
  }
  const { status, body } = await postPublicForm(mailbox.token_url, form, outside)
  const answer = status === 200 ? Token.safeParse(parsed(body)) : undefined
  if (!answer?.success) throw new Error(`Sign-in failed. The OAuth server answered with ${status}.`)
  return { user, accessToken: answer.data.access_token }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
