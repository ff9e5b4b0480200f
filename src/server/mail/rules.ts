import type { Db } from '#server/db/db.ts'
import { defaultMailRules, type MailRules } from '#shared/mail-rules.ts'

/** Returns the rules for outgoing email that roles 0 and 1 set. */
export async function findMailRules(db: Db): Promise<MailRules> {
  const row = await db
    .selectFrom('panel_settings')
    .select('value')
    .where('name', '=', 'mail')
    .executeTakeFirst()
  return { ...defaultMailRules, ...(row?.value as Partial<MailRules> | undefined) }
}

/** Returns whether an address belongs to one of these domains; subdomains are other domains. */
export const isAllowedDomain = (address: string, domains: readonly string[]): boolean =>
  domains.includes(address.slice(address.lastIndexOf('@') + 1).toLowerCase())
