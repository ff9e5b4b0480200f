-- The secret address at which an admin user's calendar program reads their sessions and follow-ups. Only the hash of its
-- token is kept, so the address is shown once.
create table calendar_feeds (
  staff_id integer primary key references staff on delete cascade,
  token_hash bytea not null unique,
  created_at timestamptz not null default now(),
  -- Null until a program has read it.
  last_read_at timestamptz
);
