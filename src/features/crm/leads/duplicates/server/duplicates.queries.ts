import { sql } from 'kysely'
import { publicDomains } from '#shared/email-providers.ts'
import type { Viewer } from '#shared/endpoint.ts'
import {
  mostGroups,
  sameness,
  type DuplicateGroup,
  type DuplicateLead,
  type Sameness,
} from '#features/crm/leads/duplicates/contract.ts'
import type { Db } from '#server/db/db.ts'

export interface Pair {
  lead_id: number
  other_id: number
  same: Sameness
}

/** More leads than these with one domain are a group of companies, or use one provider. */
const mostOfDomain = 10
/** Each lead is compared with this many before it that have the same value. */
const before = 3
/** Least similarity of names by their trigrams; docs/decisions/033-duplicate-leads.md has the measurements. */
const leastSimilarity = 0.55
const shortestPhone = 7

type Sql = ReturnType<typeof sql>

const digits = (phone: Sql) => sql`right(translate(${phone}, '+ -()/.', ''), 9)`
const hostOf = (url: Sql) => sql`substring(lower(${url}) from '^(?:https?://)?(?:www\\.)?([^/:?#]+)')`

/**
 * Returns pairs of leads of these products that have a value in common, or nearly the same name, and were not found to
 * be different. Each kind is a separate statement, so that none takes longer than a statement may.
 */
export async function findDuplicatePairs(db: Db, products: readonly number[]): Promise<Pair[]> {
  const own = sql`l.lead_for = any(${products}::int[]) and l.deleted_at is null`
  const ofLeads = (value: Sql, where: Sql) =>
    sql`select l.lead_for, l.lead_id, ${value} as value from leads l where ${own} and ${where}`
  const ofContacts = (value: Sql, where: Sql) =>
    sql`select l.lead_for, l.lead_id, ${value} as value from lead_contacts c join leads l using (lead_id) where ${own} and ${where}`
  const domainOf = (email: Sql) => sql`split_part(lower(${email}), '@', 2)`
  const shared: [Sameness, Sql, Sql?][] = [
    [
      'email',
      sql`${ofLeads(sql`lower(l.email)`, sql`l.email <> ''`)} union ${ofContacts(sql`lower(c.email)`, sql`c.email <> ''`)}`,
    ],
    [
      'phone',
      sql`select * from (${ofLeads(digits(sql`l.phone`), sql`l.phone <> ''`)} union ${ofContacts(digits(sql`c.phone`), sql`c.phone <> ''`)}) numbers
        where length(value) >= ${shortestPhone}`,
    ],
    ['companyName', ofLeads(sql`l.company_key`, sql`l.company_key <> ''`)],
    [
      'domain',
      sql`select * from (${ofLeads(domainOf(sql`l.email`), sql`l.email <> ''`)} union ${ofContacts(domainOf(sql`c.email`), sql`c.email <> ''`)}
        union ${ofLeads(hostOf(sql`l.company_url`), sql`l.company_url <> ''`)}) domains where value !~ ${publicDomains}`,
      sql`and count(*) <= ${mostOfDomain}`,
    ],
  ]
  const found: Pair[] = []
  for (const [same, values, few] of shared) found.push(...(await findEqual(db, same, values, few)))
  for (const order of [sql`l.company_key`, sql`reverse(l.company_key)`])
    found.push(...(await findSimilar(db, own, order)))
  return found
}

const isNotMarked = sql`not exists (select from lead_non_duplicates n where n.lead_id = p.lead_id and n.other_id = p.other_id)`

/** Returns each lead with those before it that have the same value. */
async function findEqual(db: Db, same: Sameness, values: Sql, few = sql``): Promise<Pair[]> {
  const earlier = Array.from(
    { length: before },
    (_, index) => sql`lag(lead_id, ${sql.lit(index + 1)}) over named`,
  )
  const { rows } = await sql<Pair>`
    with shared as materialized (${values}),
      repeated as (select lead_for, value from shared group by lead_for, value having count(*) > 1 ${few}),
      ordered as (
        select lead_id, array[${sql.join(earlier)}] as earlier from shared join repeated using (lead_for, value)
        window named as (partition by lead_for, value order by lead_id)
      )
    select p.lead_id, p.other_id, ${same}::text as same
    from (select one as lead_id, lead_id as other_id from ordered, unnest(earlier) as one where one is not null) p
    where ${isNotMarked}`.execute(db)
  return rows
}

/**
 * Returns pairs of leads whose names are next to each other in this order, and similar but not the same. To compare
 * each name with each would take hours for a million leads.
 */
async function findSimilar(db: Db, own: Sql, order: Sql): Promise<Pair[]> {
  const { rows } = await sql<Pair>`
    select p.lead_id, p.other_id, 'similarName' as same from (
      select least(lead_id, other_id) as lead_id, greatest(lead_id, other_id) as other_id from (
        select l.lead_id, l.company_key as name,
          lag(l.lead_id) over named as other_id, lag(l.company_key) over named as other_name
        from leads l where ${own} and l.company_key <> ''
        window named as (partition by l.lead_for order by ${order}, l.lead_id)
      ) neighbors where name <> other_name and similarity(name, other_name) >= ${leastSimilarity}
    ) p where ${isNotMarked}`.execute(db)
  return rows
}

/** Puts pairs together that have a lead in common; the groups with the strongest reasons come first. */
export function groupPairs(pairs: readonly Pair[]): { ids: number[]; same: Sameness[] }[] {
  const groupOf = new Map<number, { ids: Set<number>; same: Set<Sameness> }>()
  for (const { lead_id, other_id, same } of pairs) {
    const one = groupOf.get(lead_id) ?? { ids: new Set([lead_id]), same: new Set() }
    const other = groupOf.get(other_id) ?? { ids: new Set([other_id]), same: new Set() }
    const [large, small] = one.ids.size >= other.ids.size ? [one, other] : [other, one]
    for (const id of small.ids) large.ids.add(id)
    for (const reason of small.same) large.same.add(reason)
    large.same.add(same)
    for (const id of [...small.ids, lead_id, other_id]) groupOf.set(id, large)
  }
  return [...new Set(groupOf.values())]
    .map(({ ids, same }) => ({
      ids: [...ids].toSorted((a, b) => a - b),
      same: sameness.filter((reason) => same.has(reason)),
    }))
    .toSorted((a, b) => strength(b.same) - strength(a.same) || b.ids.at(-1)! - a.ids.at(-1)!)
}

const points: Record<Sameness, number> = { email: 4, phone: 4, companyName: 3, similarName: 2, domain: 1 }
const strength = (same: readonly Sameness[]) => same.reduce((sum, reason) => sum + points[reason], 0)

/** Returns the groups of leads that may be the same, and how many there are. */
export async function findDuplicateGroups(
  db: Db,
  products: Viewer['products'],
): Promise<{ data: DuplicateGroup[]; total: number }> {
  const groups = groupPairs(await findDuplicatePairs(db, products))
  const shown = groups.slice(0, mostGroups)
  const { rows } = await sql<DuplicateLead>`
    select l.lead_id, l.lead_for, l.company_name as "companyName", l.contact_name as "contactName", l.email, l.phone,
      l.lead_date::text as lead_date, l.status, s.first_name || ' ' || s.last_name as assignee
    from leads l left join staff s on s.id = l.assign_to
    where l.lead_id = any(${shown.flatMap(({ ids }) => ids)}::int[])`.execute(db)
  const byId = new Map(rows.map((row) => [row.lead_id, row]))
  const data = shown.map(({ ids, same }) => ({ same, leads: ids.flatMap((id) => byId.get(id) ?? []) }))
  return { data, total: groups.length }
}

/** Stores or removes the marks that a lead is a different company than the others. */
export async function markNonDuplicates(
  db: Db,
  lead: number,
  others: readonly number[],
  isDuplicate: boolean,
): Promise<void> {
  const pairs = sql`select least(${lead}::int, other), greatest(${lead}::int, other) from unnest(${others}::int[]) as other`
  if (isDuplicate)
    await sql`delete from lead_non_duplicates where (lead_id, other_id) in (${pairs})`.execute(db)
  else
    await sql`insert into lead_non_duplicates (lead_id, other_id) ${pairs} on conflict do nothing`.execute(db)
}
