import { sql } from 'kysely'
import { addDays, type PlainDate } from '#shared/dates.ts'
import { defaultReminderDays, findSetting } from '#features/admin/settings/server/panel-settings.queries.ts'
import { onTrial } from '#features/crm/organizations/rules.ts'
import type { Db } from '#server/db/db.ts'

/**
 * Reminds assignees of trials that end soon (by default in 7 days, in 1 day, or today) and of onboardings
 * whose next step is due. Each reminder is created only once, so this function can safely run again. Returns
 * the IDs of the admin users reminded.
 */
export async function remindOfOrganizations(db: Db, today: PlainDate): Promise<number[]> {
  const told = new Set<number>()
  for (const before of await findSetting(db, 'reminder_days', defaultReminderDays)) {
    const { rows } = await sql<{
      staff_id: number
    }>`insert into organization_reminders (staff_id, organization_id, due_on, days_before)
      select o.assign_to, o.organization_id, o.trial_end_date, ${before} from organizations o join staff s on s.id = o.assign_to
      where o.deleted_at is null and o.status = ${onTrial} and s.banned_at is null and o.trial_end_date = ${addDays(today, before)}
      on conflict do nothing returning staff_id`.execute(db)
    for (const { staff_id } of rows) told.add(staff_id)
  }
  const { rows } = await sql<{
    staff_id: number
  }>`insert into organization_reminders (staff_id, organization_id, onboarding_id, due_on, days_before)
    select b.assign_to, b.organization_id, b.id, b.next_expected_date, 0 from onboardings b join staff s on s.id = b.assign_to
    where b.deleted_at is null and b.status = 1 and s.banned_at is null and b.next_expected_date <= ${today}
    on conflict do nothing returning staff_id`.execute(db)
  for (const { staff_id } of rows) told.add(staff_id)
  return [...told]
}

/**
 * Returns an admin user's open reminders that are still valid. Reminders for rescheduled trials and completed
 * steps are left out.
 */
export async function findReminders(db: Db, staff_id: number, products: readonly number[]) {
  const { rows } = await sql<{
    id: number
    organization_id: number
    onboarding_id: number | null
    name: string
    due_on: string
  }>`
    select distinct on (r.due_on, r.organization_id, r.onboarding_id) r.id, r.organization_id, r.onboarding_id, o.name, r.due_on
    from organization_reminders r join organizations o on o.organization_id = r.organization_id and o.deleted_at is null
      left join onboardings b on b.id = r.onboarding_id
    where r.staff_id = ${staff_id} and r.done_at is null
      and exists (select from organization_products p where p.organization_id = o.organization_id and p.product_id = any(${products}::int[]))
      and case when r.onboarding_id is null then o.status = ${onTrial} and o.trial_end_date = r.due_on and o.assign_to = r.staff_id
        else b.status = 1 and b.deleted_at is null and b.next_expected_date = r.due_on and b.assign_to = r.staff_id end
    order by r.due_on, r.organization_id, r.onboarding_id, r.id desc limit 100`.execute(db)
  return rows
}
