-- Identifies this database, so that a folder of files is never swept by another one.
create table installation (
  only_row boolean primary key default true check (only_row),
  id uuid not null default gen_random_uuid(),
  -- Rises while the panel runs. The folder has a copy: if the copy is higher, an older state of the database was restored.
  mark bigint not null default 0 check (mark >= 0)
);
insert into installation default values;
