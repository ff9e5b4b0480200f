-- Errands between members of staff.
create table quick_task_types (
  id smallint primary key,
  name text not null unique check (name <> ''),
  tone text not null default 'gray',
  position smallint not null default 0
);
insert into quick_task_types (id, name, tone, position) values (1, 'To do', 'gray', 0), (2, 'Call', 'blue', 1), (3, 'Mail', 'cyan', 2), (4, 'Check', 'violet', 3), (5, 'Meeting', 'orange', 4);

create table quick_tasks (
  id integer generated always as identity primary key,
  title text not null check (title <> ''),
  text text not null default '',
  type smallint not null default 1 references quick_task_types,
  -- 0 open, 1 done.
  status smallint not null default 0 check (status in (0, 1)),
  due_date date,
  -- 1 Urgent, 2 High, 3 Medium, 4 Low; as of tasks.
  priority smallint not null default 3 check (priority between 1 and 6),
  -- Who is to do it.
  person integer not null references staff,
  created_by integer not null references staff,
  -- The record that it is about.
  entity text check (entity in ('lead', 'organization', 'ticket', 'task')),
  entity_id integer,
  completed_at timestamptz,
  completed_by integer references staff,
  search text generated always as (lower(title || ' ' || text)) stored,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  deleted_by integer references staff,
  check ((entity is null) = (entity_id is null)),
  check ((status = 1) = (completed_at is not null)),
  check ((deleted_at is null) = (deleted_by is null))
);
create index quick_tasks_of_person on quick_tasks (person, status, due_date, id) where deleted_at is null;
create index quick_tasks_of_creator on quick_tasks (created_by, status, due_date, id) where deleted_at is null;
create index quick_tasks_by_due_date on quick_tasks (status, due_date, id) where deleted_at is null;
create index quick_tasks_newest on quick_tasks (id desc) where deleted_at is null;
create index quick_tasks_of_entity on quick_tasks (entity, entity_id) where entity is not null and deleted_at is null;
create index quick_tasks_by_type on quick_tasks (type, id desc) where deleted_at is null;
create index quick_tasks_search on quick_tasks using gin (search gin_trgm_ops) where deleted_at is null;
create index quick_tasks_in_trash on quick_tasks (deleted_at desc, id desc) where deleted_at is not null;
