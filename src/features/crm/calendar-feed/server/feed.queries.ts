import { sql } from 'kysely'
import type { PlainDate } from '#shared/dates.ts'
import type { Viewer } from '#shared/endpoint.ts'
import { needsFollowUp } from '#features/crm/leads/record/server/needs-follow-up.queries.ts'
import type { Db } from '#server/db/db.ts'

const mostEntries = 1000

export interface FeedSession {
  id: number
  type: string
  at: string
  /** Length. */
  minutes: number
  lead_id: number
  company: string
  /** Null for a session of a lead that is not in onboarding. */
  onboarding_id: number | null
}

/**
 * Returns the scheduled and completed sessions between two points in time that are the viewer's: those that they
 * hold and, without hosts, those of leads assigned to them and, of onboardings, those of onboardings assigned to
 * them. By time, up to 1,000.
 */
export async function findOwnSessions(
  db: Db,
  { id, products, permissions }: Viewer,
  { from, until }: { from: string; until: string },
): Promise<FeedSession[]> {
  const { rows } =
    await sql<FeedSession>`select d.id, d.type, d.final_date as at, d.minutes, d.lead_id, l.company_name as company,
      o.id as onboarding_id
    from lead_demos d join leads l on l.lead_id = d.lead_id and l.deleted_at is null
      left join onboardings o on o.id = d.onboarding_id and o.deleted_at is null
    where coalesce(d.final_date, d.requested_date) >= ${from} and coalesce(d.final_date, d.requested_date) < ${until}
      and d.final_date is not null and d.status in (2, 3) and l.lead_for = any(${products})
      and case when exists (select from lead_demo_hosts h where h.demo_id = d.id)
        then exists (select from lead_demo_hosts h where h.demo_id = d.id and h.staff_id = ${id})
        else case when o.id is null then l.assign_to else o.assign_to end = ${id} end
      and case when o.id is null then ${permissions.has('lead_list')}::boolean else ${permissions.has('onboarding_list')}::boolean end
    order by coalesce(d.final_date, d.requested_date), d.id limit ${mostEntries}`.execute(db)
  return rows
}

export interface FeedFollowUp {
  lead_id: number
  company: string
  day: PlainDate
}

/** Returns the follow-ups of leads assigned to the viewer between two days, by day, up to 1,000. */
export async function findOwnFollowUps(
  db: Db,
  { id, products, permissions }: Viewer,
  { from, to }: { from: PlainDate; to: PlainDate },
): Promise<FeedFollowUp[]> {
  if (!permissions.has('lead_list')) return []
  const { rows } =
    await sql<FeedFollowUp>`select l.lead_id, l.company_name as company, l.followup_date::text as day
    from leads l where l.assign_to = ${id} and l.followup_date between ${from} and ${to} and l.deleted_at is null
      and ${sql.raw(needsFollowUp)} and l.lead_for = any(${products})
    order by l.followup_date, l.lead_id limit ${mostEntries}`.execute(db)
  return rows
}
