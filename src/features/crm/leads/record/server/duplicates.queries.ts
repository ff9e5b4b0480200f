import { sql } from 'kysely'
import type { Reply } from '#shared/endpoint.ts'
import type { leadOperations } from '#features/crm/leads/operations.contract.ts'
import { hasAddress } from '#features/crm/leads/record/server/lead-address.queries.ts'
import type { Db } from '#server/db/db.ts'

interface Asked {
  lead_for: number
  companyName: string
  email: string
  /** ID of the lead being edited, which is excluded from the results. */
  except?: number | undefined
}
type Duplicate = Reply<typeof leadOperations.duplicates>['data'][number]

/**
 * Returns a product's leads that are not in the trash and have the same company name, ignoring case, accents, and legal
 * form, or the same email address, ignoring case, and were not marked as different from `except`; at most five, leads with the same name first.
 */
export async function findDuplicates(
  db: Db,
  { lead_for, companyName, email, except = 0 }: Asked,
): Promise<Duplicate[]> {
  const found = (same: Duplicate['same'], where: ReturnType<typeof sql>) =>
    sql<Duplicate>`select l.lead_id, l.company_name as "companyName", l.email, l.status, ${same}::text as same from leads l
      where l.lead_for = ${lead_for} and l.deleted_at is null and l.lead_id <> ${except} and ${where}
      and not exists (select from lead_non_duplicates n
        where n.lead_id = least(l.lead_id, ${except}::int) and n.other_id = greatest(l.lead_id, ${except}::int))
      order by l.lead_id limit 5`.execute(db)
  const [byName, byEmail] = await Promise.all([
    companyName === ''
      ? { rows: [] }
      : found(
          'companyName',
          sql`l.company_key = company_key(${companyName}) and
          (l.company_key <> '' or lower(l.company_name) = lower(${companyName}))`,
        ),
    email === '' ? { rows: [] } : found('email', hasAddress('l', email)),
  ])
  const known = new Set(byName.rows.map(({ lead_id }) => lead_id))
  return [...byName.rows, ...byEmail.rows.filter(({ lead_id }) => !known.has(lead_id))].slice(0, 5)
}
