-- When a lead or task got the status that it has; null if it has had it since it was created. The dashboard counts by
-- it what was won or delivered on which day, and the lists can be filtered by it.
alter table leads add status_at timestamptz;
alter table tasks add status_at timestamptz;

-- What is known of the time before: the last change of the status, or its undo.
update leads l set status_at = changed.at
from (
  select c.record_id, max(greatest(o.at, o.undone_at)) as at
  from record_changes c join operations o on o.id = c.operation_id
  where c.record_type = 'lead' and c.before is not null
    and c.before -> 'status' is distinct from c.after -> 'status'
  group by 1
) changed
where changed.record_id = l.lead_id;

update tasks t set status_at = a.at
from (
  select task_id, status, max(created_at) as at from task_activities
  where status is not null and type <> 1 group by 1, 2
) a
where a.task_id = t.id and a.status = t.status;

-- A statement that sets the date itself, such as the demo data, keeps its date.
create function set_status_date() returns trigger language plpgsql as $$
begin
  new.status_at := now();
  return new;
end
$$;
create trigger leads_status_dated before update of status on leads
  for each row when (old.status is distinct from new.status and old.status_at is not distinct from new.status_at)
  execute function set_status_date();
create trigger tasks_status_dated before update of status on tasks
  for each row when (old.status is distinct from new.status and old.status_at is not distinct from new.status_at)
  execute function set_status_date();

create index leads_by_status_date on leads (lead_for, status, status_at) where deleted_at is null;
create index tasks_by_status_date on tasks (discipline, product_id, status, coalesce(status_at, created_at))
  where deleted_at is null;
