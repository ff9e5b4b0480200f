-- What every type of record has: acts that can be taken back, notes, a history in words, and saved views of its list.

-- Acts of leads keep their changes in operation_changes; those of every other type stand in record_changes.
alter table operations drop constraint operations_kind_check;
alter table operations add check (kind <> '');
alter table operations add record_type text not null default 'lead' check (record_type <> '');
create index operations_of_type on operations (record_type, id desc);

create table record_changes (
  operation_id integer not null references operations on delete cascade,
  record_type text not null check (record_type <> ''),
  record_id integer not null,
  -- The columns and links that became different; null before: the act created the record.
  before jsonb,
  after jsonb not null,
  version_before integer not null,
  version_after integer not null,
  -- What became of it when the act was taken back, and the version that the record has since.
  undo text check (undo in ('undone', 'skipped')),
  version_undone integer,
  primary key (operation_id, record_type, record_id)
);
create index record_changes_of_record on record_changes (record_type, record_id, version_after);

create table notes (
  id integer generated always as identity primary key,
  record_type text not null check (record_type <> ''),
  record_id integer not null,
  body text not null check (body <> ''),
  staff_id integer not null references staff,
  created_at timestamptz not null default now()
);
create index notes_of_record on notes (record_type, record_id, id desc);
insert into notes (record_type, record_id, body, staff_id, created_at) select 'lead', lead_id, body, staff_id, created_at from lead_notes order by id;
drop table lead_notes;

-- What was done, as a person says it; empty in rows from before.
alter table audit_log add act text not null default '';

create table saved_views (
  id integer generated always as identity primary key,
  -- The list, as `leads`.
  list text not null check (list <> ''),
  name text not null check (name <> '' and length(name) <= 80),
  staff_id integer not null references staff on delete cascade,
  -- Seen by everybody who sees the list; otherwise only by the person who saved it.
  shared boolean not null default false,
  -- Filters and sort as they stand in the address, and the columns that are shown.
  address jsonb not null default '{}',
  hidden_columns jsonb,
  created_at timestamptz not null default now(),
  unique (list, staff_id, name)
);
create index saved_views_of_list on saved_views (list, shared);
-- The view with which a person opens a list.
create table default_views (
  staff_id integer not null references staff on delete cascade,
  list text not null,
  view_id integer not null references saved_views on delete cascade,
  primary key (staff_id, list)
);
