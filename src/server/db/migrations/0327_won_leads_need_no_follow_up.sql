-- A won lead needs no follow-up, as a rejected one: it is neither in the queue nor in the counts of the dashboard. Which
-- status is the won one is data, so the indexes of the queue have the status beside their columns instead of a condition.
-- long lock: two indexes are built and the leads to follow up are counted once, and a change in between would be missed;
-- with a million leads, it takes a few seconds.
lock table leads in share row exclusive mode;
drop index leads_to_follow_up;
create index leads_to_follow_up on leads (followup_date, lead_for, lead_id) include (lead_date, status)
  where followup_date is not null and status <> 8 and deleted_at is null;
drop index leads_to_follow_up_of;
create index leads_to_follow_up_of on leads (assign_to, followup_date, lead_id) include (lead_for, status)
  where followup_date is not null and status <> 8 and deleted_at is null;

-- The statuses of leads that need no follow-up.
create function closed_lead_statuses() returns integer[] language sql stable as $$
  select array(select id::integer from lead_statuses where is_won or id = 8)
$$;

create or replace function count_entered_leads() returns trigger language plpgsql as $$
declare
  closed integer[] := closed_lead_statuses();
begin
  insert into lead_counts (lead_for, lead_date, status, since_entered, change)
    select lead_for, lead_date, status, status_at is null, count(*) from entered where deleted_at is null group by 1, 2, 3, 4;
  insert into follow_up_counts (lead_for, followup_date, assign_to, change)
    select lead_for, followup_date, coalesce(assign_to, 0), count(*) from entered
    where deleted_at is null and followup_date is not null and status <> all(closed) group by 1, 2, 3;
  return null;
end
$$;

create or replace function count_gone_leads() returns trigger language plpgsql as $$
declare
  closed integer[] := closed_lead_statuses();
begin
  insert into lead_counts (lead_for, lead_date, status, since_entered, change)
    select lead_for, lead_date, status, status_at is null, -count(*) from gone where deleted_at is null group by 1, 2, 3, 4;
  insert into follow_up_counts (lead_for, followup_date, assign_to, change)
    select lead_for, followup_date, coalesce(assign_to, 0), -count(*) from gone
    where deleted_at is null and followup_date is not null and status <> all(closed) group by 1, 2, 3;
  return null;
end
$$;

create or replace function count_changed_leads() returns trigger language plpgsql as $$
declare
  closed integer[] := closed_lead_statuses();
begin
  insert into lead_counts (lead_for, lead_date, status, since_entered, change)
    select lead_for, lead_date, status, status_at is null, sum(change) from (
      select lead_for, lead_date, status, status_at, deleted_at, -1 as change from gone
      union all select lead_for, lead_date, status, status_at, deleted_at, 1 from entered
    ) l where deleted_at is null group by 1, 2, 3, 4 having sum(change) <> 0;
  insert into follow_up_counts (lead_for, followup_date, assign_to, change)
    select lead_for, followup_date, coalesce(assign_to, 0), sum(change) from (
      select lead_for, followup_date, assign_to, status, deleted_at, -1 as change from gone
      union all select lead_for, followup_date, assign_to, status, deleted_at, 1 from entered
    ) l where deleted_at is null and followup_date is not null and status <> all(closed) group by 1, 2, 3
      having sum(change) <> 0;
  return null;
end
$$;

delete from follow_up_counts;
insert into follow_up_counts (lead_for, followup_date, assign_to, change)
  select lead_for, followup_date, coalesce(assign_to, 0), count(*) from leads
  where deleted_at is null and followup_date is not null
    and status <> all(array(select id from lead_statuses where is_won or id = 8)) group by 1, 2, 3;
