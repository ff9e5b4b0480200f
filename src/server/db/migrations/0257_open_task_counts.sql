-- How many open development tasks each assignee has, by product and by each of the two dates that are the main date of a
-- role, so that the workload is counted without reading the tasks. As with lead_counts (migration 0007), a row is a
-- difference, so nothing waits for a lock. A statement that changes many tasks adds a row per group.
create table open_task_counts (
  date_field text not null check (date_field in ('due_date', 'dev_due_date')),
  product_id smallint not null,
  -- 0: of tasks without an assignee. Not a reference: the rows of a user whose tasks are gone add up to 0.
  assigned_to integer not null,
  -- Infinity: of tasks without a date.
  day date not null,
  change integer not null
);

create function count_entered_tasks() returns trigger language plpgsql as $$
begin
  insert into open_task_counts (date_field, product_id, assigned_to, day, change)
    select d.date_field, t.product_id, coalesce(t.assigned_to, 0), coalesce(d.day, 'infinity'), count(*)
    from entered t, lateral (values ('due_date', t.due_date), ('dev_due_date', t.dev_due_date)) d (date_field, day)
    where t.deleted_at is null and t.discipline = 'development' and t.status <> 4
    group by 1, 2, 3, 4;
  return null;
end
$$;

create function count_gone_tasks() returns trigger language plpgsql as $$
begin
  insert into open_task_counts (date_field, product_id, assigned_to, day, change)
    select d.date_field, t.product_id, coalesce(t.assigned_to, 0), coalesce(d.day, 'infinity'), -count(*)
    from gone t, lateral (values ('due_date', t.due_date), ('dev_due_date', t.dev_due_date)) d (date_field, day)
    where t.deleted_at is null and t.discipline = 'development' and t.status <> 4
    group by 1, 2, 3, 4;
  return null;
end
$$;

create function count_changed_tasks() returns trigger language plpgsql as $$
begin
  insert into open_task_counts (date_field, product_id, assigned_to, day, change)
    select d.date_field, t.product_id, coalesce(t.assigned_to, 0), coalesce(d.day, 'infinity'), sum(t.change)
    from (
      select product_id, assigned_to, due_date, dev_due_date, discipline, status, deleted_at, -1 as change from gone
      union all select product_id, assigned_to, due_date, dev_due_date, discipline, status, deleted_at, 1 from entered
    ) t, lateral (values ('due_date', t.due_date), ('dev_due_date', t.dev_due_date)) d (date_field, day)
    where t.deleted_at is null and t.discipline = 'development' and t.status <> 4
    group by 1, 2, 3, 4 having sum(t.change) <> 0;
  return null;
end
$$;

lock table tasks in share row exclusive mode;
create trigger tasks_entered after insert on tasks referencing new table as entered
  for each statement execute function count_entered_tasks();
create trigger tasks_gone after delete on tasks referencing old table as gone
  for each statement execute function count_gone_tasks();
create trigger tasks_changed after update on tasks referencing old table as gone new table as entered
  for each statement execute function count_changed_tasks();

insert into open_task_counts (date_field, product_id, assigned_to, day, change)
  select d.date_field, t.product_id, coalesce(t.assigned_to, 0), coalesce(d.day, 'infinity'), count(*)
  from tasks t, lateral (values ('due_date', t.due_date), ('dev_due_date', t.dev_due_date)) d (date_field, day)
  where t.deleted_at is null and t.discipline = 'development' and t.status <> 4
  group by 1, 2, 3, 4;
create index open_task_counts_by_day on open_task_counts (date_field, product_id, assigned_to, day) include (change);
