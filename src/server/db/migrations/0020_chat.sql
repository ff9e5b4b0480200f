-- The room of the staff. Ids are given one after the other (an advisory lock until the commit), so that nobody who has seen one misses a lower one.
create table chat_messages (
  id bigint generated always as identity primary key,
  staff_id integer not null references staff,
  message text not null check (message <> '' and length(message) <= 5000),
  -- The sender's own id for it: what is sent again is stored once.
  client_id uuid,
  created_at timestamptz not null default now()
);
create unique index chat_messages_sent_once on chat_messages (staff_id, client_id) where client_id is not null;

-- How far each person has read.
create table chat_reads (
  staff_id integer primary key references staff on delete cascade,
  message_id bigint not null
);
