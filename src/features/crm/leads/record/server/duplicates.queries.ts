import { sql } from 'kysely'
import type { Reply } from '#shared/endpoint.ts'
import type { leadOperations } from '#features/crm/leads/operations.contract.ts'
import { hasAddress } from '#features/crm/leads/record/server/lead-address.queries.ts'
import type { Db } from '#server/db/db.ts'

interface Asked {
  lead_for: number
  companyName: string
  email: string
  phone: string
  /** ID of the lead being edited, which is excluded from the results. */
  except?: number | undefined
}
type Duplicate = Reply<typeof leadOperations.duplicates>['data'][number]

/**
 * Returns a product's leads that are not in the trash and have the same company name, ignoring case, accents, and legal
 * form, the same email address, ignoring case, or the same phone number, with or without its country, and were not marked as different from `except`; at most five, leads with the same name first.
 */
export async function findDuplicates(
  db: Db,
  { lead_for, companyName, email, phone, except = 0 }: Asked,
): Promise<Duplicate[]> {
  const found = (same: Duplicate['same'], where: ReturnType<typeof sql>) =>
    sql<Duplicate>`select l.lead_id, l.company_name as "companyName", l.email, l.phone, l.status, ${same}::text as same from leads l
      where l.lead_for = ${lead_for} and l.deleted_at is null and l.lead_id <> ${except} and ${where}
      and not exists (select from lead_non_duplicates n
        where n.lead_id = least(l.lead_id, ${except}::int) and n.other_id = greatest(l.lead_id, ${except}::int))
      order by l.lead_id limit 5`.execute(db)
  const digits = phone.replace('(0)', '').replaceAll(/\D/g, '').slice(-comparedDigits)
  const [byName, byEmail, byPhone] = await Promise.all([
    companyName === ''
      ? { rows: [] }
      : found(
          'companyName',
          sql`l.company_key = company_key(${companyName}) and
          (l.company_key <> '' or lower(l.company_name) = lower(${companyName}))`,
        ),
    email === '' ? { rows: [] } : found('email', hasAddress('l', email)),
    digits.length < shortestPhone ? { rows: [] } : found('phone', hasNumber(lead_for, digits)),
  ])
  const all = [...byName.rows, ...byEmail.rows, ...byPhone.rows]
  return [...new Map(all.toReversed().map((one) => [one.lead_id, one])).values()].toReversed().slice(0, 5)
}

/** The last digits of a phone number, which are the same with and without the code of its country. */
const comparedDigits = 9
const shortestPhone = 7

/** Returns the SQL condition that a contact of a lead `l` of the product has a number that ends with these digits. */
const hasNumber = (lead_for: number, digits: string) => sql<boolean>`l.lead_id in (
  select p.lead_id from leads p where p.lead_for = ${lead_for} and p.phone <> '' and p.deleted_at is null
    and right(phone_digits(p.phone), ${sql.lit(comparedDigits)}) = ${digits}
  union all select c.lead_id from lead_contacts c where c.phone <> ''
    and right(phone_digits(c.phone), ${sql.lit(comparedDigits)}) = ${digits})`
