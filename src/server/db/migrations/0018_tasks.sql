-- Development and designer tasks: one table, so that an id means one task whatever its kind (docs/spec-gaps.md G50).
create table tasks (
  id integer generated always as identity primary key,
  discipline text not null check (discipline in ('development', 'designer')),
  product_id smallint not null references products,
  title text not null check (title <> '' and length(title) <= 300),
  -- HTML of the allow-list.
  description text not null default '',
  -- 0 Pending, 1 Assigned, 2 In Progress, 3 On Hold, 4 Delivered, 5 In Review, 6 In QA, 7 PR Review.
  status smallint not null default 0 check (status between 0 and 7),
  -- 6 Critical, 1 Urgent, 2 High, 3 Medium, 4 Low, 5 Lowest.
  priority smallint not null default 3 check (priority between 1 and 6),
  -- The codes do not sort: Critical comes first (G33).
  priority_rank smallint generated always as (priority % 6) stored,
  task_type_id integer references task_types,
  assigned_to integer references staff,
  due_date date,
  dev_due_date date,
  adh_due_date date,
  req_due_date date,
  estimate_hours double precision check (estimate_hours > 0 and estimate_hours <= 10000),
  -- The ticket that the task came from; tickets are the support area's.
  ticket_id integer check (ticket_id > 0),
  is_customer_notified boolean not null default false,
  search text generated always as (lower(title)) stored,
  version integer not null default 1,
  created_by integer references staff,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  deleted_by integer references staff,
  check ((deleted_at is null) = (deleted_by is null))
);
create index tasks_newest on tasks (discipline, product_id, id desc) where deleted_at is null;
create index tasks_by_status on tasks (discipline, product_id, status, id desc) where deleted_at is null;
create index tasks_by_priority on tasks (discipline, product_id, priority_rank, id desc) where deleted_at is null;
create index tasks_by_type on tasks (discipline, product_id, task_type_id, id desc) where deleted_at is null;
create index tasks_of_person on tasks (assigned_to, discipline, status) where deleted_at is null;
create index tasks_by_due_date on tasks (discipline, product_id, due_date, id) where deleted_at is null;
create index tasks_by_dev_due_date on tasks (discipline, product_id, dev_due_date, id) where deleted_at is null;
create index tasks_by_adh_due_date on tasks (discipline, product_id, adh_due_date, id) where deleted_at is null;
create index tasks_by_req_due_date on tasks (discipline, product_id, req_due_date, id) where deleted_at is null;
create index tasks_by_title on tasks (discipline, product_id, search, id) where deleted_at is null;
create index tasks_search on tasks using gin (search gin_trgm_ops) where deleted_at is null;
create index tasks_not_notified on tasks (product_id, id desc) where status = 4 and not is_customer_notified and deleted_at is null;
create index tasks_of_type on tasks (task_type_id) where task_type_id is not null;
create index tasks_of_ticket on tasks (ticket_id) where ticket_id is not null;
create index tasks_in_trash on tasks (deleted_at desc, id desc) where deleted_at is not null;

create table task_organizations (
  task_id integer not null references tasks on delete cascade,
  organization_id integer not null references organizations on delete cascade,
  primary key (task_id, organization_id)
);
create index task_organizations_of_organization on task_organizations (organization_id, task_id);

-- What happened to a task: kept when the task is gone, so there is no foreign key to it.
create table task_activities (
  id bigint generated always as identity primary key,
  task_id integer not null,
  -- 1 add, 2 edit, 3 delete, 4 assign, 5 extend due date, 6 change status, 7 extend developer due date, 8 extend adh due date,
  -- 9 developer report, 10 on hold task, 11 add issue.
  type smallint not null check (type between 1 and 11),
  created_by integer references staff,
  created_at timestamptz not null default now(),
  due_date date,
  comment text,
  status smallint check (status between 0 and 7),
  assigned_to integer references staff
);
create index task_activities_of_task on task_activities (task_id, id desc);
create trigger task_activities_is_append_only before update or delete on task_activities for each row execute function refuse_change();
create trigger task_activities_is_never_emptied before truncate on task_activities for each statement execute function refuse_change();

-- Whichever way a task goes to the trash.
create function tell_deleted_task() returns trigger language plpgsql as $$
begin
  insert into task_activities (task_id, type, created_by) values (new.id, 3, new.deleted_by);
  return new;
end $$;
create trigger task_deletion_is_told after update of deleted_at on tasks for each row
  when (old.deleted_at is null and new.deleted_at is not null) execute function tell_deleted_task();

-- Every move of a promised date, with its reason.
create table task_date_moves (
  id integer generated always as identity primary key,
  task_id integer not null,
  -- As the activity: 5 due date, 7 developer, 8 adh.
  type smallint not null check (type in (5, 7, 8)),
  old_date date,
  new_date date not null,
  reason text not null check (reason <> ''),
  moved_by integer references staff,
  moved_at timestamptz not null default now(),
  check (old_date is distinct from new_date)
);
create index task_date_moves_of_task on task_date_moves (task_id, id desc);
create trigger task_date_moves_is_append_only before update or delete on task_date_moves for each row execute function refuse_change();

-- Hours that somebody worked on a task, a line each.
create table task_reports (
  id integer generated always as identity primary key,
  task_id integer not null references tasks,
  staff_id integer not null references staff,
  -- The task's, beside it for the progress report.
  product_id smallint not null references products,
  report_date date not null,
  title text not null check (title <> '' and length(title) <= 300),
  hours double precision not null check (hours > 0 and hours <= 24),
  created_at timestamptz not null default now()
);
create index task_reports_of_task on task_reports (task_id, report_date desc, id);
create index task_reports_by_day on task_reports (report_date desc, id desc);
create index task_reports_of_person on task_reports (staff_id, report_date desc, id desc);
create index task_reports_of_product on task_reports (product_id, report_date desc, id desc);

create table task_issues (
  id integer generated always as identity primary key,
  task_id integer not null references tasks on delete cascade,
  task_issue text not null check (task_issue <> '' and length(task_issue) <= 5000),
  -- 1 resolved.
  status smallint not null default 0 check (status in (0, 1)),
  created_by integer references staff,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index task_issues_of_task on task_issues (task_id, id);

-- Days on which nothing is delivered.
create table holidays (
  day date primary key,
  name text not null check (name <> '' and length(name) <= 100)
);
