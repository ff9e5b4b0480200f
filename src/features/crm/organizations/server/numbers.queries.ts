import { sql, type RawBuilder } from 'kysely'
import { addDays, mondayOf, type PlainDate } from '#shared/dates.ts'
import type { Viewer } from '#shared/endpoint.ts'
import { countsPerWeek, levelOf, weekFrom, type Period } from '#shared/trend.ts'
import {
  organizationsCounted,
  type OrganizationNumbers,
} from '#features/crm/organizations/numbers.contract.ts'
import { onTrial } from '#features/crm/organizations/rules.ts'
import { organizationReads } from '#features/crm/organizations/server/organizations.queries.ts'
import { seesAllOrganizations } from '#features/crm/organizations/server/product-sets.queries.ts'
import type { Db } from '#server/db/db.ts'
import { dayOf, dayStart } from '#server/record/list.ts'

const weeksAhead = 8

interface CountOfDay {
  day: PlainDate
  count: number
}

/**
 * Returns the statistics of the organizations that the viewer's list has.
 * @param serverDay the server's date, from which the list's filters count the days of a trial
 */
export async function findOrganizationNumbers(
  db: Db,
  reader: Viewer,
  period: Period,
  serverDay: PlainDate,
): Promise<OrganizationNumbers> {
  const viewer = {
    ...reader,
    seesAllOrganizations: await seesAllOrganizations(db, reader),
    today: serverDay,
  }
  const monday = mondayOf(period.to)
  const weeks = Array.from({ length: weeksAhead + 1 }, (_, index) => addDays(monday, 7 * index))
  const count = async (filters: Parameters<typeof organizationReads.matching>[0]) => {
    const { rows } = await sql<{ total: number }>`select count(*)::int as total from organizations r
      where ${organizationReads.matching(filters, viewer)}`.execute(db)
    return rows[0]!.total
  }
  const shown = organizationsCounted.ending({ from: monday, to: weekFrom(weeks.at(-1)!).to })
  const listed = organizationReads.matching({}, viewer)
  const [on_trial, changes, ends_soon, { rows: days }] = await Promise.all([
    count(organizationsCounted.on_trial),
    findTrialChanges(db, viewer, { listed, since: dayStart(period.from, viewer) }),
    count(organizationsCounted.ends_soon),
    sql<CountOfDay>`select r.trial_end_date as day, count(*)::int as count
      from organizations r where ${organizationReads.matching(shown, viewer)} group by 1`.execute(db),
  ])
  return {
    on_trial: levelOf(on_trial, changes, period),
    ends_soon,
    weeks,
    ending: countsPerWeek(days, weeks),
  }
}

interface Since {
  /** The condition of the organizations `r` that are counted. */
  listed: RawBuilder<unknown>
  since: RawBuilder<string>
}

/** Returns by how many the organizations on trial became more, by day. */
async function findTrialChanges(db: Db, viewer: Viewer, { listed, since }: Since): Promise<CountOfDay[]> {
  const firstStatus = sql`coalesce((select c.from_status from organization_status_changes c
    where c.organization_id = r.organization_id order by c.changed_at, c.id limit 1), r.status)`
  const trial = sql.lit(onTrial)
  const { rows } =
    await sql<CountOfDay>`select ${dayOf(sql`e.at`, viewer)} as day, sum(e.more)::int as count from (
      select r.created_at as at, 1 as more from organizations r
        where r.created_at >= ${since} and ${listed} and ${firstStatus} = ${trial}
      union all select c.changed_at, case when c.to_status = ${trial} then 1 else -1 end
        from organization_status_changes c join organizations r on r.organization_id = c.organization_id
        where c.changed_at >= ${since} and ${trial} in (c.from_status, c.to_status) and ${listed}
    ) e group by 1`.execute(db)
  return rows
}
