-- The queue of follow-ups: of everybody's leads and of one person's, by day. 8 is the rejected status (features/leads/rules.ts).
create index leads_to_follow_up on leads (followup_date, lead_for, lead_id) include (lead_date)
  where followup_date is not null and status <> 8 and deleted_at is null;
create index leads_to_follow_up_of on leads (assign_to, followup_date, lead_id) include (lead_for)
  where followup_date is not null and status <> 8 and deleted_at is null;

-- The follow-up date of many leads is set as one act.
alter table operations
  drop constraint operations_kind_check,
  add constraint operations_kind_check check (kind in ('status', 'color', 'assign', 'followup', 'tags', 'reject', 'import', 'merge', 'delete'));
