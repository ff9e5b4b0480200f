-- Files of records, and drafts that are too long for the browser.

create table files (
  id integer generated always as identity primary key,
  -- On the disk, under names of ours.
  stored_name text not null unique check (stored_name ~ '^[a-f0-9]{40}\.[a-z0-9]+$'),
  small_name text unique check (small_name ~ '^[a-f0-9]{40}\.[a-z0-9]+$'),
  -- As the sender named it: data, never a path.
  name text not null check (name <> '' and char_length(name) <= 200),
  kind text not null check (kind in ('image', 'document', 'video', 'audio', 'other')),
  mime text not null check (mime <> ''),
  bytes integer not null check (bytes > 0),
  sha256 bytea not null check (octet_length(sha256) = 32),
  width integer check (width > 0),
  height integer check (height > 0),
  uploaded_by integer references staff on delete set null,
  created_at timestamptz not null default now()
);
create index files_by_time on files (created_at);
create index files_of_staff on files (uploaded_by, id);

-- One file, many records; a file without a row here is its uploader's, and goes after a day.
create table file_links (
  id integer generated always as identity primary key,
  file_id integer not null references files,
  record_type text not null check (record_type <> ''),
  record_id integer not null,
  role text not null default 'attachment' check (role <> ''),
  label text not null default '',
  position smallint not null default 0,
  created_by integer references staff on delete set null,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  deleted_by integer references staff on delete set null
);
create unique index file_links_of_record on file_links (record_type, record_id, role, file_id) where deleted_at is null;
create index file_links_of_file on file_links (file_id);

create table drafts (
  staff_id integer not null references staff on delete cascade,
  name text not null check (name <> '' and char_length(name) <= 200),
  -- JSON as a text: jsonb refuses signs that people type.
  draft text not null check (octet_length(draft) <= 4000000),
  updated_at timestamptz not null default now(),
  primary key (staff_id, name)
);
create index drafts_by_time on drafts (updated_at);
