import { invisibleClass } from '#shared/invisible.ts'
import { truncate } from '#shared/truncate.ts'

/** A person who could receive an email. */
export interface Candidate {
  /** Name by which the author of the email knows this person. */
  who: string
  address: string | null
  /** Replaces {{name}} in the email. */
  name?: string | undefined
  banned?: boolean | undefined
  unsubscribed?: boolean | undefined
}

export const whyLeftOut = {
  banned: 'Banned',
  unsubscribed: 'Unsubscribed',
  'no address': 'No email address',
  'no valid address': 'Invalid email address',
  twice: 'Duplicate email address',
} as const
export type WhyLeftOut = keyof typeof whyLeftOut

/** Why a viewer can't change, send, or stop an email to people whom they can't see. */
export const whyNotAllShown =
  'You can’t do this because some recipients are users of customers you don’t have access to.'

export interface Chosen {
  to: { address: string; name?: string }[]
  leftOut: { who: string; why: WhyLeftOut }[]
}

/**
 * Splits candidates into an email's recipients, with each address used only once, and those who are left out,
 * with the reason.
 * @param unsubscribed addresses that have unsubscribed, in lowercase; omit it for emails that are not
 * advertising.
 */
export function chooseRecipients(
  candidates: readonly Candidate[],
  unsubscribed: ReadonlySet<string> = new Set(),
): Chosen {
  const chosen: Chosen = { to: [], leftOut: [] }
  const taken = new Set<string>()
  for (const { who, name, ...one } of candidates) {
    const address = (one.address ?? '').trim().toLowerCase()
    const why = whyNot(address, one, unsubscribed) ?? (taken.has(address) ? 'twice' : undefined)
    if (why) chosen.leftOut.push({ who, why })
    else {
      taken.add(address)
      chosen.to.push(name === undefined ? { address } : { address, name })
    }
  }
  return chosen
}

function whyNot(
  address: string,
  { banned, unsubscribed }: Pick<Candidate, 'banned' | 'unsubscribed'>,
  others: ReadonlySet<string>,
): WhyLeftOut | undefined {
  if (banned) return 'banned'
  if (address === '') return 'no address'
  if (!isAddress(address)) return 'no valid address'
  return unsubscribed || others.has(address) ? 'unsubscribed' : undefined
}

/** Characters that an address can't contain. */
const notInAddress = String.raw`\s@<>,;:"()[\]\\` + invisibleClass
/** Must also be valid as a PostgreSQL regular expression. */
export const addressPattern = new RegExp(`^[^${notInAddress}]+@[^${notInAddress}]+$`)

/** Says that a string is no address. */
export const whyNotAddress = (text: string): string => `${truncate(text, 100)} isn’t a valid email address.`

/** Returns whether a string can be used as a single address in an email header. */
export const isAddress = (text: string): boolean => text.length <= 254 && addressPattern.test(text)
