import { CompiledQuery } from 'kysely'
import { addDays } from '#shared/dates.ts'
import type { Days } from '#shared/trend.ts'
import { instantAt } from '#shared/zones.ts'
import type { Activities } from '#features/crm/leads/report/contract.ts'
import type { Scope } from '#features/crm/leads/report/server/report.queries.ts'
import { activitiesOfLeads } from '#features/crm/leads/record/server/activities.ts'
import { leadActivityNames, type LeadActivity } from '#features/crm/leads/rules.ts'
import type { Db } from '#server/db/db.ts'

interface Row {
  activity: LeadActivity
  /** Whether it is about all people together. */
  is_all: boolean
  person: number | null
  count: number
  leads: number
}

/** A session of several people counts for each of them, and once for all together. */
const query = (done: string, isOfOne: boolean) => `${done}, of_leads as (
    select activity, person, lead_id, count(*) as count from done group by 1, 2, 3
  )
  select activity, false as is_all, person, sum(count)::int as count, count(*)::int as leads from of_leads group by 1, 3
  union all select activity, true, null, (count(*) ${isOfOne ? '' : 'filter (where not is_again)'})::int,
    count(distinct lead_id)::int from done group by 1`

/** Returns what people did for leads in a period, by person and of all together. */
export async function findActivities(
  db: Db,
  { products, assignee, source, viewer }: Scope,
  { from, to }: Days,
): Promise<{ all: Activities; people: { id: number | null; done: Activities }[] }> {
  const values: unknown[] = [
    ...[from, addDays(to, 1)].map((day) => instantAt(day, '00:00', viewer.zone ?? 'UTC')),
    products,
  ]
  const value = (one: unknown) => `$${values.push(one)}`
  const conditions = [
    'l.lead_for = any($3::int[])',
    ...(assignee === undefined
      ? []
      : [`coalesce(a.person, l.assign_to) is not distinct from ${value(assignee || null)}::int`]),
    ...(source === undefined ? [] : [`coalesce(l.hear_about, '') = ${value(source ?? '')}`]),
  ]
  const done = activitiesOfLeads(
    leadActivityNames,
    (at) => `${at} >= $1 and ${at} < $2`,
    conditions.join(' and '),
  )
  const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(query(done, assignee !== undefined), values))
  const people = Map.groupBy(
    rows.filter(({ is_all }) => !is_all),
    ({ person }) => person,
  )
  return {
    all: activitiesOf(rows.filter(({ is_all }) => is_all)),
    people: [...people].map(([id, own]) => ({ id, done: activitiesOf(own) })),
  }
}

const activitiesOf = (rows: readonly Row[]): Activities =>
  Object.fromEntries(
    leadActivityNames.map((name) => {
      const { count, leads } = rows.find(({ activity }) => activity === name) ?? { count: 0, leads: 0 }
      return [name, { count, leads }]
    }),
  ) as Activities
