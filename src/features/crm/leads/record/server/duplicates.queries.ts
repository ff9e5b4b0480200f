import { sql } from 'kysely'
import type { Reply } from '#shared/endpoint.ts'
import type { leadOperations } from '#features/crm/leads/operations.contract.ts'
import type { Db } from '#server/db/db.ts'

/* Which leads of a product may be the same as another one, for the form of a lead and for the rows of an import. */

type Duplicate = Reply<typeof leadOperations.duplicates>['data'][number]
export type Same = Duplicate['same']

/** Values of a lead that is entered or imported, which are compared with those of others unless they are empty. */
interface Compared {
  /** Number by which the caller knows it. */
  at: number
  companyName: string
  email: string
  phone: string
  /** ID of the lead being edited, which is excluded from the results. */
  except?: number | undefined
  /** Its external ID: a lead that has another one is not the same. */
  reference?: string | undefined
}

interface SameLead {
  at: number
  lead_id: number
  same: Same
}

/** The last digits of a phone number, which are the same with and without the code of its country. */
const comparedDigits = 9
const shortestPhone = 7

/** Returns the digits by which a phone number is compared; empty if it has too few. */
export function digitsOf(phone: string): string {
  const digits = phone.replace('(0)', '').replaceAll(/\D/g, '').slice(-comparedDigits)
  return digits.length < shortestPhone ? '' : digits
}

const lastDigits = (row: string) =>
  sql`right(phone_digits(${sql.ref(`${row}.phone`)}), ${sql.lit(comparedDigits)})`

/**
 * Returns the leads of a product that are not in the trash and have the same company name, ignoring case, accents, and
 * legal form, the same email address, ignoring case, or the same phone number, with or without its country, and were not
 * marked as different from `except`: up to five per lead that is compared and per reason. The contacts of a lead count, too.
 * Each part of the query reads an index for each lead that is compared, of which there can be thousands.
 */
export async function findSame(db: Db, lead_for: number, compared: readonly Compared[]): Promise<SameLead[]> {
  if (compared.length === 0) return []
  const given = compared.map(({ phone, ...one }) => ({ ...one, digits: digitsOf(phone) }))
  const found = (
    same: Same,
    candidates: ReturnType<typeof sql>,
  ) => sql`select k.at, s.lead_id, ${same}::text as same
    from k cross join lateral (select l.lead_id from (${candidates}) c join leads l on l.lead_id = c.lead_id
      where l.lead_for = ${lead_for} and l.deleted_at is null and l.lead_id <> k.own
        and (k.reference is null or l.reference is null)
        and not exists (select from lead_non_duplicates n
          where n.lead_id = least(l.lead_id, k.own) and n.other_id = greatest(l.lead_id, k.own))
      group by 1 order by 1 limit 5) s`
  const { rows } =
    await sql<SameLead>`with k as materialized (select g.at, g."companyName" as company, g.email, g.digits,
      coalesce(g."except", 0) as own, g.reference, company_key(g."companyName") as company_key
      from jsonb_to_recordset(${JSON.stringify(given)}::jsonb)
        as g(at int, "companyName" text, email text, digits text, "except" int, reference text))
    ${found(
      'companyName',
      sql`select o.lead_id from leads o where k.company <> '' and o.lead_for = ${lead_for} and o.deleted_at is null
        and o.company_key = k.company_key and (k.company_key <> '' or lower(o.company_name) = lower(k.company))`,
    )}
    union all ${found(
      'email',
      sql`select p.lead_id from leads p where k.email <> '' and p.email <> '' and lower(p.email) = lower(k.email)
          and p.deleted_at is null
        union all select q.lead_id from lead_contacts q where k.email <> '' and q.email <> ''
          and lower(q.email) = lower(k.email)`,
    )}
    union all ${found(
      'phone',
      sql`select p.lead_id from leads p where k.digits <> '' and p.lead_for = ${lead_for} and p.phone <> ''
          and p.deleted_at is null and ${lastDigits('p')} = k.digits
        union all select q.lead_id from lead_contacts q where k.digits <> '' and q.phone <> ''
          and ${lastDigits('q')} = k.digits`,
    )}`.execute(db)
  return rows
}

const order: readonly Same[] = ['companyName', 'email', 'phone']
/** Sorts leads with the same name first, then those with the same email address, each by their IDs. */
export const bySame = (one: SameLead, other: SameLead): number =>
  order.indexOf(one.same) - order.indexOf(other.same) || one.lead_id - other.lead_id

/** Returns at most five leads of a product that may be the same as the one in a form; those with the same name first. */
export async function findDuplicates(
  db: Db,
  { lead_for, ...compared }: Omit<Compared, 'at' | 'reference'> & { lead_for: number },
): Promise<Duplicate[]> {
  const same = (await findSame(db, lead_for, [{ at: 0, ...compared }])).toSorted(bySame)
  const reasons = new Map(same.toReversed().map((one) => [one.lead_id, one.same]))
  const ids = [...new Set(same.map(({ lead_id }) => lead_id))].slice(0, 5)
  if (ids.length === 0) return []
  const { rows } = await sql<
    Omit<Duplicate, 'same'>
  >`select lead_id, company_name as "companyName", email, phone, status
    from leads where lead_id = any(${ids}::int[])`.execute(db)
  return ids.flatMap((id) => {
    const lead = rows.find(({ lead_id }) => lead_id === id)
    return lead ? [{ ...lead, same: reasons.get(id)! }] : []
  })
}
