import { sql, type RawBuilder } from 'kysely'

/**
 * Returns the SQL condition that a lead has an email address, in any case. It is the only way to ask for one, because
 * the index on addresses (migration 0272) leaves out leads without an address.
 */
export const hasAddress = (lead: string, address: string | RawBuilder<string>): RawBuilder<boolean> =>
  sql`(${sql.ref(`${lead}.email`)} <> '' and lower(${sql.ref(`${lead}.email`)}) = lower(${address}))`
