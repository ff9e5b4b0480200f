-- The table of a new record type, with an example column. See "A table of records" in ARCHITECTURE.md.
create table vendors (
  id integer generated always as identity primary key,
  name text not null check (name <> '' and char_length(name) <= 200),
  website text not null default '' check (char_length(website) <= 300),
  search text generated always as (search_text(name)) stored,
  version integer not null default 1,
  created_by integer references staff,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  deleted_by integer references staff,
  check ((deleted_at is null) = (deleted_by is null))
);
create index vendors_newest on vendors (id desc) where deleted_at is null;
create index vendors_by_name on vendors (search, id) where deleted_at is null;
create index vendors_search on vendors using gin (search gin_trgm_ops) where deleted_at is null;
create index vendors_in_trash on vendors (deleted_at desc, id desc) where deleted_at is not null;
create trigger vendors_written after insert or update or delete or truncate on vendors
  for each statement execute function note_table_write();
