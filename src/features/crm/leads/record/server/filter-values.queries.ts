import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import type { Viewer } from '#shared/endpoint.ts'
import type { leadFilterValues } from '#features/crm/leads/choice-filters.contract.ts'
import type { Db } from '#server/db/db.ts'

type FilterValues = z.output<(typeof leadFilterValues.show)['response']>

/** Values that are looked for in all products, so that any number of different texts is found fast. */
const mostValues = 1000

/** Returns the countries and time zones of the leads in the viewer's products, in the order of the alphabet. */
export async function findFilterValues(db: Db, { products }: Viewer): Promise<FilterValues> {
  const { rows } =
    await sql<FilterValues>`select ${distinct('country', sql`lower(l.country)`, products)} as countries,
    ${distinct('timezone', sql`l.timezone`, products)} as timezones`.execute(db)
  const { countries, timezones } = rows[0]!
  return { countries: inOrder(countries), timezones: inOrder(timezones) }
}

const inOrder = (texts: readonly string[]) => texts.toSorted((one, other) => one.localeCompare(other))

/**
 * Builds SQL for the different values of a column, each with its first spelling. Reads from an index (migration 0350) only
 * the next value of each product, instead of all leads.
 */
const distinct = (column: 'country' | 'timezone', key: RawBuilder<string>, products: readonly number[]) => {
  const leadWith = (comparison: RawBuilder<boolean>) =>
    sql`from leads l where l.lead_for = p.id and l.deleted_at is null and ${comparison} order by ${key} limit 1`
  return sql<string[]>`array(
    with recursive found as (
      select p.id, one.* from unnest(${products}::int[]) p (id)
        cross join lateral (select ${key} as key, l.${sql.ref(column)} as value ${leadWith(sql`${key} > ''`)}) one
      union all
      select p.id, one.* from found p
        cross join lateral (select ${key} as key, l.${sql.ref(column)} as value ${leadWith(sql`${key} > p.key`)}) one
    )
    select min(value) from (select * from found limit ${mostValues}) few group by key)`
}
