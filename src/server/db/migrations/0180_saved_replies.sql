-- Texts that admin users insert into replies to tickets: their own, and those that all of them share.
create table saved_replies (
  id integer generated always as identity primary key,
  name text not null check (name <> '' and char_length(name) <= 120),
  shortcut text not null default '' check (shortcut ~ '^[a-z0-9-]{0,40}$'),
  is_shared boolean not null default false,
  category integer references ticket_categories on delete set null,
  status integer references ticket_statuses on delete set null,
  content text not null check (content <> ''),
  uses integer not null default 0 check (uses >= 0),
  last_used_at timestamptz,
  last_used_by integer references staff,
  search text generated always as (search_text(name || ' ' || shortcut)) stored,
  version integer not null default 1,
  created_by integer not null references staff,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  deleted_by integer references staff,
  check ((deleted_at is null) = (deleted_by is null)),
  check ((last_used_at is null) = (last_used_by is null))
);
create index saved_replies_by_use on saved_replies (uses desc, id desc) where deleted_at is null;
create index saved_replies_of_author on saved_replies (created_by, uses desc, id desc) where deleted_at is null and not is_shared;
create index saved_replies_by_category on saved_replies (category, uses desc, id desc) where deleted_at is null;
create index saved_replies_search on saved_replies using gin (search gin_trgm_ops) where deleted_at is null;
create index saved_replies_in_trash on saved_replies (deleted_at desc, id desc) where deleted_at is not null;
create trigger saved_replies_written after insert or update or delete or truncate on saved_replies
  for each statement execute function note_table_write();
