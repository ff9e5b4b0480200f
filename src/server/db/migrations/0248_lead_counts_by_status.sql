-- The counts of leads (migration 0007) also by status, and by whether they have had it since they came in, so that the
-- dashboard counts new leads by status without reading them; and the counts of leads to follow up, those that aren't
-- rejected (status 8), by the day of the follow-up. A statement that changes many leads adds a row per group.
lock table leads in share row exclusive mode;
drop trigger leads_moved on leads;
drop function count_moved_lead();
drop index lead_counts_by_day;
delete from lead_counts;
alter table lead_counts
  add status smallint not null,
  add since_entered boolean not null;
create index lead_counts_by_day on lead_counts (lead_for, lead_date) include (status, since_entered, change);

create table follow_up_counts (
  lead_for smallint not null,
  followup_date date not null,
  change integer not null
);
create index follow_up_counts_by_day on follow_up_counts (lead_for, followup_date) include (change);

create or replace function count_entered_leads() returns trigger language plpgsql as $$
begin
  insert into lead_counts (lead_for, lead_date, status, since_entered, change)
    select lead_for, lead_date, status, status_at is null, count(*) from entered where deleted_at is null group by 1, 2, 3, 4;
  insert into follow_up_counts (lead_for, followup_date, change)
    select lead_for, followup_date, count(*) from entered
    where deleted_at is null and followup_date is not null and status <> 8 group by 1, 2;
  return null;
end
$$;

create or replace function count_gone_leads() returns trigger language plpgsql as $$
begin
  insert into lead_counts (lead_for, lead_date, status, since_entered, change)
    select lead_for, lead_date, status, status_at is null, -count(*) from gone where deleted_at is null group by 1, 2, 3, 4;
  insert into follow_up_counts (lead_for, followup_date, change)
    select lead_for, followup_date, -count(*) from gone
    where deleted_at is null and followup_date is not null and status <> 8 group by 1, 2;
  return null;
end
$$;

create function count_changed_leads() returns trigger language plpgsql as $$
begin
  insert into lead_counts (lead_for, lead_date, status, since_entered, change)
    select lead_for, lead_date, status, status_at is null, sum(change) from (
      select lead_for, lead_date, status, status_at, deleted_at, -1 as change from gone
      union all select lead_for, lead_date, status, status_at, deleted_at, 1 from entered
    ) l where deleted_at is null group by 1, 2, 3, 4 having sum(change) <> 0;
  insert into follow_up_counts (lead_for, followup_date, change)
    select lead_for, followup_date, sum(change) from (
      select lead_for, followup_date, status, deleted_at, -1 as change from gone
      union all select lead_for, followup_date, status, deleted_at, 1 from entered
    ) l where deleted_at is null and followup_date is not null and status <> 8 group by 1, 2 having sum(change) <> 0;
  return null;
end
$$;
create trigger leads_changed after update on leads referencing old table as gone new table as entered
  for each statement execute function count_changed_leads();

insert into lead_counts (lead_for, lead_date, status, since_entered, change)
  select lead_for, lead_date, status, status_at is null, count(*) from leads where deleted_at is null group by 1, 2, 3, 4;
insert into follow_up_counts (lead_for, followup_date, change)
  select lead_for, followup_date, count(*) from leads
  where deleted_at is null and followup_date is not null and status <> 8 group by 1, 2;
