import { sql, type RawBuilder } from 'kysely'

/**
 * Returns the SQL condition that one of the contacts of a lead, which isn't in the trash, has an email address, in any
 * case. It is the only way to ask for one, because the indexes on addresses (migrations 0272 and 0273) leave out those
 * without an address, and a condition on both tables would read neither.
 */
export const hasAddress = (lead: string, address: string | RawBuilder<string>): RawBuilder<boolean> =>
  sql`${sql.ref(`${lead}.lead_id`)} in (
    select p.lead_id from leads p where p.email <> '' and lower(p.email) = lower(${address}) and p.deleted_at is null
    union all select c.lead_id from lead_contacts c where c.email <> '' and lower(c.email) = lower(${address}))`
