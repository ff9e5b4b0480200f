import { sql } from 'kysely'
import type { PlainDate } from '#shared/dates.ts'
import { rejectedStatus } from '#features/crm/leads/rules.ts'
import type { Db } from '#server/db/db.ts'

/**
 * Gives the demo leads, which were inserted with the status that they have, the statuses before it: all of the pipeline,
 * or, if rejected, the first two.
 */
export async function seedStatusChanges(db: Db, today: PlainDate): Promise<void> {
  await sql`delete from lead_status_changes`.execute(db)
  await sql`with path as (
      select l.lead_id, l.created_at, l.assign_to, l.reject_reason_id, s.id as status,
        coalesce(l.status_at, greatest(l.created_at, ${today}::date)) as reached_at,
        row_number() over (partition by l.lead_id order by s.id) - 1 as step,
        count(*) over (partition by l.lead_id) - 1 as steps
      from leads l join lead_statuses s on s.id = l.status or s.id < case l.status when ${rejectedStatus} then 3 else l.status end
    ), timed as (
      select *, created_at + (reached_at - created_at) * (step::float / greatest(steps, 1)) as at from path
    )
    insert into lead_status_changes (lead_id, step, from_status, to_status, is_first, assignee_id, reject_reason_id, since, changed_at)
    select lead_id, step, lag(status) over of_lead, status, true, assign_to,
      case when status = ${rejectedStatus} then reject_reason_id end, lag(at) over of_lead, at
    from timed window of_lead as (partition by lead_id order by step)`.execute(db)
}
