import { reachedOutcome, type LeadActivity } from '#features/crm/leads/rules.ts'

/*
 * SQL for what people did for leads: for the sales report, and for the list of the leads that a number of it counts. The
 * calls, emails, sessions, and notes of a merged lead count for the lead that was kept.
 */

/** Builds the condition that a time, as SQL, is in the period. */
type During = (at: string) => string

const calls = (during: During) =>
  `select id, called_by, lead_id, false from lead_calls where ${during('called_at')}`

const rowsOf: Record<LeadActivity, (during: During) => string> = {
  call: calls,
  call_reached: (during) => `${calls(during)} and outcome = ${reachedOutcome}`,
  call_missed: (during) => `${calls(during)} and outcome <> ${reachedOutcome}`,
  // Neither emails to admin users, nor those that the panel writes for a session; an undone email was never sent.
  email: (
    during,
  ) => `select id, staff_id, record_id, false from mails where record_type = 'lead' and takes_replies
    and calendar is null and called_off_at is null and staff_id is not null and ${during('created_at')}`,
  session: (
    during,
  ) => `select d.id, h.staff_id, d.lead_id, coalesce(h.id <> min(h.id) over (partition by d.id), false)
    from lead_demos d left join lead_demo_hosts h on h.demo_id = d.id
    where d.is_completed and d.onboarding_id is null and ${during('coalesce(d.final_date, d.requested_date, d.created_at)')}`,
  note: (during) => `select id, staff_id, record_id, false from notes
    where record_type = 'lead' and staff_id is not null and ${during('created_at')}`,
}

/** For `with recursive`: the leads that were merged, each with the one that was kept. */
const merged = `merged (lead_id, kept_id) as (
  select l.lead_id, k.lead_id from leads l join leads k on k.lead_id = l.merged_into where k.merged_into is null
  union all select l.lead_id, m.kept_id from merged m join leads l on l.merged_into = m.lead_id)`

/**
 * Builds a table of activities `a`: its person is null for sessions without hosts, which are the assignee's; `is_again`
 * marks the rows of a session's other hosts.
 */
const activities = (activity: LeadActivity, during: During) =>
  `select '${activity}' as activity, a.id, a.person, coalesce(m.kept_id, a.lead_id) as lead_id, a.is_again
    from (${rowsOf[activity](during)}) a (id, person, lead_id, is_again) left join merged m using (lead_id)`

/** Builds the query of all activities of a period, with the leads that aren't in the trash and meet a condition. */
export const activitiesOfLeads = (names: readonly LeadActivity[], during: During, condition: string) =>
  `with recursive ${merged}, done as materialized (
    select a.activity, a.id, coalesce(a.person, l.assign_to) as person, l.lead_id, a.is_again
    from (${names.map((name) => activities(name, during)).join(' union all ')}) a join leads l using (lead_id)
    where l.deleted_at is null and ${condition})`

/** Builds the condition that someone did something for a lead `l`; `by` is a value, or 0 for no one. */
export function wasDone(activity: LeadActivity, during: During, by: string | 0 | undefined): string {
  const leadsWith = (person: string) =>
    `l.lead_id in (with recursive ${merged} select a.lead_id from (${activities(activity, during)}) a where ${person})`
  if (by === undefined) return leadsWith('true')
  if (by === 0) return `(l.assign_to is null and ${leadsWith('a.person is null')})`
  return `(${leadsWith(`a.person = ${by}`)} or l.assign_to = ${by} and ${leadsWith('a.person is null')})`
}
