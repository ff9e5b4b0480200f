-- The queue of follow-ups: of everybody's leads and of one person's, by day. 8 is the rejected status (features/leads/rules.ts).
create index leads_to_follow_up on leads (followup_date, lead_for, lead_id) include (lead_date)
  where followup_date is not null and status <> 8 and deleted_at is null;
create index leads_to_follow_up_of on leads (assign_to, followup_date, lead_id) include (lead_for)
  where followup_date is not null and status <> 8 and deleted_at is null;

-- The follow-up date of many leads is set as one act.
alter table operations
  drop constraint operations_kind_check,
  add constraint operations_kind_check check (kind in ('status', 'color', 'assign', 'followup', 'tags', 'reject', 'import', 'merge', 'delete'));

-- That the follow-up of a lead has become due for the person who looks after it. One that was moved, rejected, deleted or given
-- to somebody else is still here, and shown no more: what is shown is compared with the lead.
create table reminders (
  id integer generated always as identity primary key,
  staff_id integer not null references staff on delete cascade,
  lead_id integer not null references leads on delete cascade,
  due_on date not null,
  created_at timestamptz not null default now(),
  done_at timestamptz,
  unique (staff_id, lead_id, due_on)
);
create index reminders_open on reminders (staff_id, due_on, id) where done_at is null;
create index reminders_of_lead on reminders (lead_id);
