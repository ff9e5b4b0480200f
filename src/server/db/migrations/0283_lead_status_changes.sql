-- Each status that a lead got, with the assignee and the reject reason at that time, for the sales report. Triggers write
-- it, so that no way of changing a status is left out, and so that the past doesn't change when a lead moves.
create table lead_status_changes (
  id bigint generated always as identity primary key,
  lead_id integer not null references leads on delete cascade,
  -- 0 is the status that the lead was created with; the report counts it on the lead date.
  step smallint not null check (step >= 0),
  from_status smallint,
  to_status smallint not null check (to_status is distinct from from_status),
  -- Whether the lead never had the status before.
  is_first boolean not null,
  assignee_id integer references staff,
  reject_reason_id integer references lead_reject_reasons on delete set null,
  -- When the lead got the status before.
  since timestamptz,
  changed_at timestamptz not null default now(),
  check ((step = 0) = (from_status is null)),
  check ((step = 0) = (since is null))
);
create unique index lead_status_changes_of_lead on lead_status_changes (lead_id, step);
create index lead_status_changes_by_time on lead_status_changes (changed_at) where step > 0;
create index lead_status_changes_by_status on lead_status_changes (to_status, changed_at) where is_first and step > 0;
create index lead_status_changes_by_reason on lead_status_changes (reject_reason_id) where reject_reason_id is not null;

-- What the history still knows. The assignee is today's one, and so is the reason of those that are still rejected. A lead
-- whose first status isn't known began as New if the day of its status is known, and otherwise with the status that it has.
with known as (
  select c.record_id as lead_id, (c.before ->> 'status')::smallint as from_status,
    (c.after ->> 'status')::smallint as to_status, o.at, o.id
  from record_changes c join operations o on o.id = c.operation_id
  where c.record_type = 'lead' and c.undo is distinct from 'undone'
    and (c.before ->> 'status')::smallint <> (c.after ->> 'status')::smallint
), last_known as (
  select distinct on (lead_id) lead_id, to_status, at from known order by lead_id, at desc, id desc
), changes as (
  select lead_id, from_status, to_status, at, id from known
  union all
  select l.lead_id, coalesce(k.to_status, 1::smallint), l.status, greatest(l.status_at, k.at), 2147483647
  from leads l left join last_known k using (lead_id)
  where l.status_at is not null and l.status <> coalesce(k.to_status, 1::smallint)
), entries as (
  select lead_id, from_status, to_status, at, id from changes
  union all
  select l.lead_id, null, coalesce(f.from_status, l.status), l.created_at, 0
  from leads l left join (
    select distinct on (lead_id) lead_id, from_status from changes order by lead_id, at, id
  ) f using (lead_id)
), steps as (
  select *, row_number() over (partition by lead_id order by (from_status is not null), at, id) - 1 as step from entries
)
insert into lead_status_changes (lead_id, step, from_status, to_status, is_first, assignee_id, reject_reason_id, since, changed_at)
  select s.lead_id, s.step, s.from_status, s.to_status,
    row_number() over (partition by s.lead_id, s.to_status order by s.step) = 1, l.assign_to,
    case when s.to_status = 8 then l.reject_reason_id end,
    lag(s.at) over (partition by s.lead_id order by s.step), s.at
  from steps s join leads l using (lead_id)
  order by s.at, s.lead_id, s.step;

create function note_status_of_new_leads() returns trigger language plpgsql as $$
begin
  insert into lead_status_changes (lead_id, step, to_status, is_first, assignee_id, reject_reason_id, changed_at)
    select lead_id, 0, status, true, assign_to, reject_reason_id, created_at from entered order by lead_id;
  return null;
end $$;
create trigger leads_status_entered after insert on leads referencing new table as entered
  for each statement execute function note_status_of_new_leads();

create function note_lead_status() returns trigger language plpgsql as $$
begin
  insert into lead_status_changes (lead_id, step, from_status, to_status, is_first, assignee_id, reject_reason_id, since, changed_at)
    select new.lead_id, last.step + 1, old.status, new.status,
      not exists (select from lead_status_changes c where c.lead_id = new.lead_id and c.to_status = new.status),
      new.assign_to, new.reject_reason_id, last.changed_at, coalesce(new.status_at, now())
    from (select step, changed_at from lead_status_changes where lead_id = new.lead_id order by step desc limit 1) last;
  return null;
end $$;
create trigger leads_status_changed after update of status on leads
  for each row when (old.status <> new.status) execute function note_lead_status();

-- An undone change was a mistake, so neither the change nor its undo counts. An undo reverts a lead only if nothing changed
-- since, so these are its last two changes.
create function forget_undone_lead_status() returns trigger language plpgsql as $$
begin
  delete from lead_status_changes c using (
    select max(step) as step from lead_status_changes where lead_id = new.record_id
  ) last, lead_status_changes undone
  where c.lead_id = new.record_id and c.step in (last.step, last.step - 1)
    and undone.lead_id = new.record_id and undone.step = last.step - 1
    and undone.from_status = (new.before ->> 'status')::smallint
    and undone.to_status = (new.after ->> 'status')::smallint;
  return null;
end $$;
create trigger lead_status_undone after update of undo on record_changes
  for each row when (new.record_type = 'lead' and new.undo = 'undone' and old.undo is distinct from 'undone'
    and new.before -> 'status' <> new.after -> 'status')
  execute function forget_undone_lead_status();

-- Leads that another process created while the history was read.
insert into lead_status_changes (lead_id, step, to_status, is_first, assignee_id, reject_reason_id, changed_at)
  select l.lead_id, 0, l.status, true, l.assign_to, l.reject_reason_id, l.created_at from leads l
  where not exists (select from lead_status_changes c where c.lead_id = l.lead_id);
