import type { MailState } from '#shared/mails.ts'

const reasons: readonly (readonly [response: RegExp, reason: string])[] = [
  [
    /\b5\.1\.[0-36]\b|no such (mailbox|user)|(user|recipient|address) (unknown|not found)|does(n.t| not) exist/i,
    'address',
  ],
  [/\b[45]\.2\.2\b|\b[45]52\b|mailbox (is )?full|over quota/i, 'full'],
  [/\b535\b|\b5\.7\.8\b|EAUTH|invalid login|authentication/i, 'sign-in'],
  [/\b5\.7\.\d+\b|\b554\b|spam|blocked|blacklist|policy/i, 'content'],
  [/ECONN|ETIMEDOUT|ENOTFOUND|EDNS|EAI_AGAIN|timeout|timed out|connection|greeting/i, 'server'],
  [/\b550\b|mailbox unavailable/i, 'address'],
]

const explained: Record<string, string> = {
  address: 'The address doesn’t exist. Check it with the recipient, correct it, and resend.',
  full: 'The recipient’s mailbox is full. Retry later, or ask for another address.',
  'sign-in': 'The mail server rejected the panel’s sign-in. Ask a Super Admin to check SMTP_URL.',
  content: 'The mail server rejected this email as unwanted. Contact the recipient another way.',
  server: 'The mail server can’t be reached.',
}

const reasonOf = (response: string | null): string | undefined =>
  response === null ? undefined : reasons.find(([pattern]) => pattern.test(response))?.[1]

/** Returns whether a mail server said that the address doesn't exist, so that only another one helps. */
export const isWrongAddress = (response: string | null): boolean => reasonOf(response) === 'address'

/** Explains to users why an email wasn't delivered, from the mail server's response. */
export function explainFailure(response: string | null): string {
  const reason = reasonOf(response)
  return reason === undefined ? 'The mail server rejected this email.' : explained[reason]!
}

/** Returns whether a recipient's address can be corrected: nothing was delivered to it. */
export const canCorrect = ({ state, attempts }: { state: MailState; attempts: number }): boolean =>
  state === 'failed' || (state === 'waiting' && attempts > 0)
