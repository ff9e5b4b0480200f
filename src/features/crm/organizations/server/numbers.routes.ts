import { sql } from 'kysely'
import { addDays, mondayOf, plainDate, type PlainDate } from '#shared/dates.ts'
import type { Viewer } from '#shared/endpoint.ts'
import { countsPerWeek, weekFrom } from '#shared/trend.ts'
import {
  organizationNumbers,
  organizationsCounted,
  type OrganizationNumbers,
} from '#features/crm/organizations/numbers.contract.ts'
import { matching } from '#features/crm/organizations/server/organizations.queries.ts'
import type { App } from '#server/app.ts'
import type { Db } from '#server/db/db.ts'
import { implement } from '#server/http/implement.ts'

const weeksAhead = 8

/**
 * Returns the statistics of the organizations that the viewer's list has.
 * @param serverDay the server's date, from which the list's filters count the days of a trial
 */
async function findOrganizationNumbers(
  db: Db,
  viewer: Viewer,
  today: PlainDate,
  serverDay: PlainDate,
): Promise<OrganizationNumbers> {
  const monday = mondayOf(today)
  const weeks = Array.from({ length: weeksAhead + 1 }, (_, index) => addDays(monday, 7 * index))
  const count = async (filters: Parameters<typeof matching>[0]) => {
    const { rows } = await sql<{ total: number }>`select count(*)::int as total from organizations o
      where ${matching(filters, viewer, serverDay)}`.execute(db)
    return rows[0]!.total
  }
  const shown = organizationsCounted.ending({ from: monday, to: weekFrom(weeks.at(-1)!).to })
  const [on_trial, ends_soon, { rows: days }] = await Promise.all([
    count(organizationsCounted.on_trial),
    count(organizationsCounted.ends_soon),
    sql<{ day: PlainDate; count: number }>`select o.trial_end_date as day, count(*)::int as count
      from organizations o where ${matching(shown, viewer, serverDay)} group by 1`.execute(db),
  ])
  return { on_trial, ends_soon, weeks, ending: countsPerWeek(days, weeks) }
}

export function organizationNumberRoutes(app: App): void {
  implement(app, organizationNumbers.show, ({ query }, { db, viewer, clock }) => {
    const serverDay = plainDate(clock.now())
    return findOrganizationNumbers(db, viewer, query.today ?? serverDay, serverDay)
  })
}
