-- The counts of leads to follow up (migration 0248) also by assignee, so that the dashboard shows who has overdue ones
-- without reading the leads.
lock table leads in share row exclusive mode;
drop index follow_up_counts_by_day;
delete from follow_up_counts;
alter table follow_up_counts
  -- 0: of leads without an assignee. Not a reference: the rows of a user whose leads are gone add up to 0.
  add assign_to integer not null;
create index follow_up_counts_by_day on follow_up_counts (lead_for, followup_date) include (assign_to, change);

create or replace function count_entered_leads() returns trigger language plpgsql as $$
begin
  insert into lead_counts (lead_for, lead_date, status, since_entered, change)
    select lead_for, lead_date, status, status_at is null, count(*) from entered where deleted_at is null group by 1, 2, 3, 4;
  insert into follow_up_counts (lead_for, followup_date, assign_to, change)
    select lead_for, followup_date, coalesce(assign_to, 0), count(*) from entered
    where deleted_at is null and followup_date is not null and status <> 8 group by 1, 2, 3;
  return null;
end
$$;

create or replace function count_gone_leads() returns trigger language plpgsql as $$
begin
  insert into lead_counts (lead_for, lead_date, status, since_entered, change)
    select lead_for, lead_date, status, status_at is null, -count(*) from gone where deleted_at is null group by 1, 2, 3, 4;
  insert into follow_up_counts (lead_for, followup_date, assign_to, change)
    select lead_for, followup_date, coalesce(assign_to, 0), -count(*) from gone
    where deleted_at is null and followup_date is not null and status <> 8 group by 1, 2, 3;
  return null;
end
$$;

create or replace function count_changed_leads() returns trigger language plpgsql as $$
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
    ) l where deleted_at is null and followup_date is not null and status <> 8 group by 1, 2, 3
      having sum(change) <> 0;
  return null;
end
$$;

insert into follow_up_counts (lead_for, followup_date, assign_to, change)
  select lead_for, followup_date, coalesce(assign_to, 0), count(*) from leads
  where deleted_at is null and followup_date is not null and status <> 8 group by 1, 2, 3;
