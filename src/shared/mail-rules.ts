import { z } from 'zod'
import { wholeNumber } from '#shared/schemas.ts'

/** Seconds for which an email can be held so that sending can be undone. */
const seconds = wholeNumber(5, 120)
const domain = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(/^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/, 'Enter a domain, such as linen.example.')

/** Rules for outgoing email that roles 0 and 1 set. */
export const MailRules = z.object({
  /** For replies and emails of one record. */
  undo_seconds: seconds,
  /** For mailings and announcements. */
  undo_mailing_seconds: seconds,
  /** Domains of the addresses that admin users can send from. */
  own_domains: z.array(domain).max(20),
})
export type MailRules = z.output<typeof MailRules>

export const defaultMailRules: MailRules = { undo_seconds: 10, undo_mailing_seconds: 60, own_domains: [] }
