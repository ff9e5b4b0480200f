-- Mailboxes that are read over IMAP.
create table mailboxes (
  id integer generated always as identity primary key,
  address citext not null unique check (address like '%_@_%' and char_length(address::text) <= 254),
  host text not null check (host <> '' and char_length(host) <= 253),
  port integer not null default 993 check (port between 1 and 65535),
  username text not null check (username <> '' and char_length(username) <= 254),
  folder text not null default 'INBOX' check (folder <> '' and char_length(folder) <= 200),
  sign_in text not null default 'password' check (sign_in in ('password', 'oauth2')),
  -- The password or the OAuth secrets, encrypted with SECRETS_KEY; null if they come from the environment.
  secret bytea,
  token_url text not null default '' check (char_length(token_url) <= 500),
  client_id text not null default '' check (char_length(client_id) <= 300),
  -- What becomes of an email that belongs to no record.
  unknown_becomes text not null default 'unsorted' check (unknown_becomes in ('unsorted', 'ticket')),
  is_on boolean not null default true,
  -- How far the folder was read; the numbers start over when uid_validity changes.
  uid_validity bigint,
  last_uid bigint not null default 0 check (last_uid >= 0),
  state text not null default 'waiting' check (state in ('waiting', 'connected', 'failed')),
  error text not null default '' check (char_length(error) <= 500),
  state_at timestamptz not null default now(),
  last_received_at timestamptz,
  -- The process that reads it, so that others don't.
  read_by text,
  read_until timestamptz,
  version integer not null default 1,
  created_by integer references staff,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
alter table received_mails add mailbox_id integer references mailboxes on delete set null;
create index received_mails_of_mailbox on received_mails (mailbox_id, received_at desc) where mailbox_id is not null;
