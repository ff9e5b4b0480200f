-- Changes that operations made to rows of other tables that belong to a record, such as its notes and
-- sessions. `before` is null if the operation added the row, `after` if it removed it.
create table part_changes (
  id bigint generated always as identity primary key,
  operation_id integer not null references operations on delete cascade,
  record_type text not null check (record_type <> ''),
  record_id integer not null,
  table_name text not null check (table_name <> ''),
  row_id integer not null,
  before jsonb,
  after jsonb,
  check (before is distinct from after)
);
create index part_changes_of_operation on part_changes (operation_id);
