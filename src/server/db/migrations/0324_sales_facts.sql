-- What the sales report counts, without reading leads (decision 037): sales_facts has a row for each status that a lead
-- got and for its first demo, with the product, source, and amount that the lead has now; sales_counts, sales_times, and
-- lead_pipeline_counts add them. Triggers write all four in the transaction of a change, from the leads, their status
-- changes, and their sessions. Leads in the trash have no facts.
-- long lock: the facts of all leads are written once, and a change in between would be missed; with a million leads and
-- three changes of each, it took about two minutes.
lock table leads, lead_status_changes, lead_demos in share row exclusive mode;

create table sales_facts (
  -- The first status counts on the lead date, which has no time zone.
  happened_at timestamptz not null,
  -- How long the lead had the status before.
  seconds double precision,
  -- Not a reference: the rows of a lead go with its status changes, which are references.
  lead_id integer not null,
  -- Who had the lead at the time; for the first status and the demo, who has it now. 0: no one.
  person integer not null,
  -- 0: none.
  reject_reason_id integer not null,
  lead_for smallint not null,
  -- That of the status change; -1: the first demo.
  step smallint not null,
  from_status smallint,
  -- 0: the first demo.
  to_status smallint not null,
  is_first boolean not null,
  -- Empty: none.
  source text not null,
  -- The amount of a won lead in its first year; empty and 0 for others.
  currency text not null,
  amount numeric not null,
  primary key (lead_id, step)
);
create index sales_facts_by_time on sales_facts (happened_at)
  include (lead_for, step, from_status, person, source, seconds);
-- For the numbers of each day.
create index sales_facts_received on sales_facts (happened_at) include (lead_for, person, source) where step = 0;
create index sales_facts_contacted on sales_facts (happened_at) include (lead_for, person, source)
  where step = 1 and to_status <> 8;
create index sales_facts_reached on sales_facts (to_status, happened_at) include (lead_for, person, source, step)
  where is_first;
-- For the median of the time in a status.
create index sales_facts_left on sales_facts (from_status, seconds) include (happened_at, lead_for) where step > 0;
create index sales_facts_won on sales_facts (happened_at) include (lead_for, step, to_status, person, source, currency, amount)
  where currency <> '';

-- The first statuses and demos by month (UTC). Rows are differences, as in lead_counts.
create table sales_counts (
  lead_for smallint not null,
  month date not null,
  -- Whether it counts on the lead date.
  is_created boolean not null,
  to_status smallint not null,
  person integer not null,
  source text not null,
  reject_reason_id integer not null,
  currency text not null,
  change integer not null,
  contacted integer not null,
  contacted_in_a_day integer not null,
  amount numeric not null
);
create index sales_counts_by_month on sales_counts (month, lead_for);

-- How many leads left a status in a month (UTC), by ranges of the time that they had it. Rows are differences.
create table sales_times (
  lead_for smallint not null,
  month date not null,
  from_status smallint not null,
  range smallint not null,
  change integer not null
);
create index sales_times_by_month on sales_times (month, lead_for);

create function time_range(seconds double precision) returns smallint language sql immutable
  return floor(ln(seconds + 1) * 32)::smallint;

-- The leads as they are now, by the month of their expected close (-infinity: none). Rows are differences.
create table lead_pipeline_counts (
  lead_for smallint not null,
  status smallint not null,
  assign_to integer not null,
  source text not null,
  currency text not null,
  close_month date not null,
  change integer not null,
  amount numeric not null
);
create index lead_pipeline_counts_of_product on lead_pipeline_counts (lead_for);

create function first_year_amount(amount numeric, recurring text) returns numeric language sql immutable
  return amount * case recurring when 'monthly' then 12 else 1 end;

-- The facts of leads as they should be.
create function sales_facts_of(leads_of_facts integer[]) returns setof sales_facts language sql stable as $$
  select case c.step when 0 then l.lead_date::timestamp at time zone 'UTC' else c.changed_at end,
    case when c.step > 0 then greatest(0, extract(epoch from c.changed_at - c.since)::double precision) end,
    l.lead_id, coalesce(case c.step when 0 then l.assign_to else c.assignee_id end, 0), coalesce(c.reject_reason_id, 0),
    l.lead_for, c.step, c.from_status, c.to_status, c.is_first, coalesce(l.hear_about, ''),
    case when s.is_won then coalesce(l.currency, '') else '' end,
    case when s.is_won and l.currency is not null then first_year_amount(l.amount, l.recurring) else 0 end
  from unnest(leads_of_facts) as wanted (lead_id) join leads l using (lead_id)
    join lead_status_changes c using (lead_id) join lead_statuses s on s.id = c.to_status
  where l.deleted_at is null
  union all
  select min(coalesce(d.final_date, d.requested_date, d.created_at)), null, l.lead_id, coalesce(l.assign_to, 0), 0,
    l.lead_for, -1, null, 0, true, coalesce(l.hear_about, ''), '', 0
  from unnest(leads_of_facts) as wanted (lead_id) join leads l using (lead_id) join lead_demos d using (lead_id)
  where l.deleted_at is null and d.is_completed and d.onboarding_id is null
  group by l.lead_id
$$;

-- Adds missing facts, and changes others to what they should be. Each row is looked up by index, so that the time grows
-- with the number of leads only; the plan is always the same, and making it would take longer than its work.
create function add_sales_facts(leads_of_facts integer[]) returns void language plpgsql
  set plan_cache_mode = force_generic_plan as $$
begin
  insert into sales_facts as f select * from sales_facts_of(leads_of_facts)
    on conflict (lead_id, step) do update set happened_at = excluded.happened_at, seconds = excluded.seconds,
      person = excluded.person, reject_reason_id = excluded.reject_reason_id, lead_for = excluded.lead_for,
      from_status = excluded.from_status, to_status = excluded.to_status, is_first = excluded.is_first,
      source = excluded.source, currency = excluded.currency, amount = excluded.amount
    where (f.happened_at, f.seconds, f.person, f.reject_reason_id, f.lead_for, f.from_status, f.to_status, f.is_first,
      f.source, f.currency, f.amount) is distinct from (excluded.happened_at, excluded.seconds, excluded.person,
      excluded.reject_reason_id, excluded.lead_for, excluded.from_status, excluded.to_status, excluded.is_first,
      excluded.source, excluded.currency, excluded.amount);
end
$$;

create function note_sales_facts(leads_of_facts integer[]) returns void language plpgsql
  set plan_cache_mode = force_generic_plan as $$
begin
  delete from sales_facts f using unnest(leads_of_facts) as wanted (lead_id)
    where f.lead_id = wanted.lead_id and case when f.step < 0
      then not exists (select from leads l join lead_demos d using (lead_id)
        where l.lead_id = f.lead_id and l.deleted_at is null and d.is_completed and d.onboarding_id is null)
      else not exists (select from leads l join lead_status_changes c using (lead_id)
        where l.lead_id = f.lead_id and l.deleted_at is null and c.step = f.step)
      end;
  perform add_sales_facts(leads_of_facts);
end
$$;

-- Notes the statuses of all leads that a statement changed, as migration 0283 did for each lead, so that their facts are
-- written together: 500 leads took seven times as long otherwise.
drop trigger leads_status_changed on leads;
create or replace function note_lead_status() returns trigger language plpgsql as $$
begin
  insert into lead_status_changes (lead_id, step, from_status, to_status, is_first, assignee_id, reject_reason_id, since, changed_at)
    select n.lead_id, last.step + 1, o.status, n.status,
      not exists (select from lead_status_changes c where c.lead_id = n.lead_id and c.to_status = n.status),
      n.assign_to, n.reject_reason_id, last.changed_at, coalesce(n.status_at, now())
    from gone o join entered n on n.lead_id = o.lead_id and n.status <> o.status, lateral (
      select step, changed_at from lead_status_changes where lead_id = n.lead_id order by step desc limit 1
    ) last order by n.lead_id;
  return null;
end
$$;
create trigger leads_status_changed after update on leads referencing old table as gone new table as entered
  for each statement execute function note_lead_status();

-- The same for undone changes.
drop trigger lead_status_undone on record_changes;
create or replace function forget_undone_lead_status() returns trigger language plpgsql as $$
begin
  delete from lead_status_changes c using (
    select n.record_id as lead_id, (n.before ->> 'status')::smallint as from_status, (n.after ->> 'status')::smallint as to_status,
      (select max(step) from lead_status_changes s where s.lead_id = n.record_id) as step
    from gone o join entered n using (operation_id, record_type, record_id)
    where n.record_type = 'lead' and n.undo = 'undone' and o.undo is distinct from 'undone'
      and n.before -> 'status' <> n.after -> 'status'
  ) last, lead_status_changes undone
  where c.lead_id = last.lead_id and c.step in (last.step, last.step - 1)
    and undone.lead_id = last.lead_id and undone.step = last.step - 1
    and undone.from_status = last.from_status and undone.to_status = last.to_status;
  return null;
end
$$;
create trigger lead_status_undone after update on record_changes referencing old table as gone new table as entered
  for each statement execute function forget_undone_lead_status();

create function note_sales_facts_of_leads() returns trigger language plpgsql as $$
declare
  moved integer[] := array(
    select o.lead_id from gone o join entered n using (lead_id)
    where (o.lead_for, o.lead_date, o.hear_about, o.assign_to, o.currency, o.amount, o.recurring, o.deleted_at is null)
      is distinct from
      (n.lead_for, n.lead_date, n.hear_about, n.assign_to, n.currency, n.amount, n.recurring, n.deleted_at is null));
begin
  if moved <> '{}' then perform note_sales_facts(moved); end if;
  return null;
end
$$;
create trigger leads_sales_facts after update on leads referencing old table as gone new table as entered
  for each statement execute function note_sales_facts_of_leads();

-- A lead is locked while its facts are written, so that they are of its last version.
create function note_sales_facts_of_written() returns trigger language plpgsql as $$
declare
  moved integer[] := array(select distinct lead_id from written);
begin
  if moved <> '{}' then
    perform from unnest(moved) as wanted (lead_id) join leads using (lead_id) order by lead_id for no key update of leads;
    perform note_sales_facts(moved);
  end if;
  return null;
end
$$;
-- A lead that gets a status is locked already, and no fact goes.
create function add_sales_facts_of_written() returns trigger language plpgsql as $$
begin
  perform add_sales_facts(array(select distinct lead_id from written));
  return null;
end
$$;
create trigger lead_status_changes_noted after insert on lead_status_changes referencing new table as written
  for each statement execute function add_sales_facts_of_written();
create trigger lead_status_changes_gone after delete on lead_status_changes referencing old table as written
  for each statement execute function note_sales_facts_of_written();
create trigger lead_status_changes_changed after update on lead_status_changes referencing new table as written
  for each statement execute function note_sales_facts_of_written();
create trigger lead_demos_noted after insert on lead_demos referencing new table as written
  for each statement execute function note_sales_facts_of_written();
create trigger lead_demos_gone after delete on lead_demos referencing old table as written
  for each statement execute function note_sales_facts_of_written();
create trigger lead_demos_changed after update on lead_demos referencing new table as written
  for each statement execute function note_sales_facts_of_written();
-- A merge moves the sessions of a lead to another one.
create trigger lead_demos_left after update on lead_demos referencing old table as written
  for each statement execute function note_sales_facts_of_written();

create function count_sales_facts() returns trigger language plpgsql as $$
declare
  sign integer := tg_argv[0];
begin
  if not exists (select from written) then return null; end if;
  insert into sales_counts (lead_for, month, is_created, to_status, person, source, reject_reason_id, currency,
      change, contacted, contacted_in_a_day, amount)
    select lead_for, date_trunc('month', happened_at at time zone 'UTC')::date, step = 0, to_status, person, source,
      reject_reason_id, currency, sign * count(*), sign * count(*) filter (where step = 1 and to_status <> 8),
      sign * count(*) filter (where step = 1 and to_status <> 8 and seconds <= 86400), sign * sum(amount)
    from written where is_first group by 1, 2, 3, 4, 5, 6, 7, 8;
  insert into sales_times (lead_for, month, from_status, range, change)
    select lead_for, date_trunc('month', happened_at at time zone 'UTC')::date, from_status, time_range(seconds), sign * count(*)
    from written where step > 0 group by 1, 2, 3, 4;
  return null;
end
$$;
create trigger sales_facts_counted after insert on sales_facts referencing new table as written
  for each statement execute function count_sales_facts('1');
create trigger sales_facts_gone after delete on sales_facts referencing old table as written
  for each statement execute function count_sales_facts('-1');
create trigger sales_facts_changed_from after update on sales_facts referencing old table as written
  for each statement execute function count_sales_facts('-1');
create trigger sales_facts_changed_to after update on sales_facts referencing new table as written
  for each statement execute function count_sales_facts('1');

create function count_pipeline_of_entered() returns trigger language plpgsql as $$
begin
  insert into lead_pipeline_counts (lead_for, status, assign_to, source, currency, close_month, change, amount)
    select lead_for, status, coalesce(assign_to, 0), coalesce(hear_about, ''), coalesce(currency, ''),
      coalesce(date_trunc('month', expected_close)::date, '-infinity'), count(*),
      coalesce(sum(first_year_amount(amount, recurring)), 0)
    from entered where deleted_at is null group by 1, 2, 3, 4, 5, 6;
  return null;
end
$$;
create trigger leads_pipeline_entered after insert on leads referencing new table as entered
  for each statement execute function count_pipeline_of_entered();

create function count_pipeline_of_gone() returns trigger language plpgsql as $$
begin
  insert into lead_pipeline_counts (lead_for, status, assign_to, source, currency, close_month, change, amount)
    select lead_for, status, coalesce(assign_to, 0), coalesce(hear_about, ''), coalesce(currency, ''),
      coalesce(date_trunc('month', expected_close)::date, '-infinity'), -count(*),
      -coalesce(sum(first_year_amount(amount, recurring)), 0)
    from gone where deleted_at is null group by 1, 2, 3, 4, 5, 6;
  return null;
end
$$;
create trigger leads_pipeline_gone after delete on leads referencing old table as gone
  for each statement execute function count_pipeline_of_gone();

create function count_pipeline_of_changed() returns trigger language plpgsql as $$
begin
  insert into lead_pipeline_counts (lead_for, status, assign_to, source, currency, close_month, change, amount)
    select lead_for, status, coalesce(assign_to, 0), coalesce(hear_about, ''), coalesce(currency, ''),
      coalesce(date_trunc('month', expected_close)::date, '-infinity'), sum(change),
      coalesce(sum(change * first_year_amount(amount, recurring)), 0)
    from (
      select lead_for, status, assign_to, hear_about, currency, expected_close, amount, recurring, deleted_at, -1 as change from gone
      union all
      select lead_for, status, assign_to, hear_about, currency, expected_close, amount, recurring, deleted_at, 1 from entered
    ) l where deleted_at is null group by 1, 2, 3, 4, 5, 6
    having sum(change) <> 0 or sum(change * first_year_amount(amount, recurring)) <> 0;
  return null;
end
$$;
create trigger leads_pipeline_changed after update on leads referencing old table as gone new table as entered
  for each statement execute function count_pipeline_of_changed();

insert into sales_facts select f.* from sales_facts_of(array(select lead_id from leads where deleted_at is null)) f
  order by f.happened_at, f.lead_id;
insert into lead_pipeline_counts (lead_for, status, assign_to, source, currency, close_month, change, amount)
  select lead_for, status, coalesce(assign_to, 0), coalesce(hear_about, ''), coalesce(currency, ''),
    coalesce(date_trunc('month', expected_close)::date, '-infinity'), count(*),
    coalesce(sum(first_year_amount(amount, recurring)), 0)
  from leads where deleted_at is null group by 1, 2, 3, 4, 5, 6;
analyze sales_facts, sales_counts, sales_times, lead_pipeline_counts;
