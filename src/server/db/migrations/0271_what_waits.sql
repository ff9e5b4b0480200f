-- What waits for one person, and the tasks to notify customers about, for the first request of the dashboard and for the
-- bell. A page of someone's open tasks by date read and sorted all of them, and their number read each of them.
-- long lock: with a million leads and 200,000 tasks, all of it took less than a minute on a busy machine. The dropped index only made the bell faster, which
-- the version before reads without it.
create index tasks_open_by_due_date on tasks (assigned_to, discipline, due_date, id) include (product_id, status)
  where deleted_at is null and status <> 4;
create index tasks_open_by_dev_due_date on tasks (assigned_to, discipline, dev_due_date, id) include (product_id, status)
  where deleted_at is null and status <> 4;

-- Open leads that came in before a day, so that those without activity since then are found without reading all leads.
create index leads_by_created on leads (lead_for, status, created_at, lead_id) where deleted_at is null;

-- Whether a task has any organizations, so that the tasks to notify about are counted without looking up those of each.
alter table tasks add has_organization boolean not null default false;

-- The lock lets statements on one task take turns, and what is read after it includes what the other one did.
create function note_task_organizations() returns trigger language plpgsql as $$
begin
  perform from tasks where id in (select task_id from written) order by id for no key update;
  update tasks t set has_organization = not t.has_organization
    where t.id in (select task_id from written)
      and t.has_organization <> exists (select from task_organizations k where k.task_id = t.id);
  return null;
end
$$;

lock table tasks, task_organizations in share row exclusive mode;
create trigger task_organizations_added after insert on task_organizations referencing new table as written
  for each statement execute function note_task_organizations();
create trigger task_organizations_removed after delete on task_organizations referencing old table as written
  for each statement execute function note_task_organizations();
-- The organizations of a task are added and removed, never moved to another task.
create function refuse_moved_task_organization() returns trigger language plpgsql as $$
begin
  raise exception 'Remove the organization of a task, and add it to another one.';
end
$$;
create trigger task_organizations_moved before update on task_organizations
  for each row when (old.task_id is distinct from new.task_id) execute function refuse_moved_task_organization();

update tasks t set has_organization = true where exists (select from task_organizations k where k.task_id = t.id);
drop index tasks_not_notified;
create index tasks_to_notify on tasks (due_date, id desc) include (product_id, discipline)
  where status = 4 and not is_customer_notified and deleted_at is null and has_organization;
