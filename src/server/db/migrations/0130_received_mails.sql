-- Replies lead back to the record of the email that they answer, by a secret in its Reply-To address, of which
-- only the hash is stored: one per recipient and attempt.
create table mail_reply_tokens (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  mail_id integer not null references mails on delete cascade,
  address citext not null,
  created_at timestamptz not null default now()
);
create index mail_reply_tokens_of_mail on mail_reply_tokens (mail_id);
alter table mails
  -- Whether replies arrive on the record, if an address for incoming email is set.
  add column takes_replies boolean not null default false,
  -- The text as it is searched, since the subject alone says little about a conversation.
  add column words text not null generated always as (search_text(left(text, 20000))) stored,
  add column sender_search text not null generated always as (search_text(sender_name)) stored;
create index mails_words on mails using gin (words gin_trgm_ops);
create index mails_by_message_id on mails (message_id);

create function joined_texts(texts text[]) returns text language sql immutable parallel safe
  as $$ select array_to_string(texts, ' ') $$;

-- Emails that arrived, each Message-ID once.
create table received_mails (
  id integer generated always as identity primary key,
  -- As in the header; made of the content if the header is missing.
  message_id text not null unique check (char_length(message_id) between 1 and 1000),
  -- What it is: written by a person, or by a machine, which is never answered.
  kind text not null check (kind in ('message', 'list', 'auto_reply', 'bounce', 'complaint', 'loop')),
  -- Unsorted ones wait for a person; done means that no reply is needed.
  state text not null check (state in ('unsorted', 'filed', 'banned', 'spam', 'done', 'automatic')),
  from_name text not null default '' check (char_length(from_name) <= 200),
  from_address citext not null default '' check (char_length(from_address::text) <= 254),
  to_addresses text[] not null default '{}',
  cc_addresses text[] not null default '{}',
  subject text not null default '' check (char_length(subject) <= 500),
  text text not null default '' check (char_length(text) <= 500000),
  -- The sender's own HTML, which only a sandboxed frame shows; empty if there is none.
  html text not null default '' check (char_length(html) <= 1000000),
  bytes integer not null default 0 check (bytes >= 0),
  -- Why parts of it are missing: files that couldn't be saved, or an email that couldn't be read.
  problems text[] not null default '{}',
  in_reply_to text not null default '' check (char_length(in_reply_to) <= 2000),
  "references" text not null default '' check (char_length("references") <= 20000),
  -- What shows that the sender is real; null: nothing does.
  verified_by text check (verified_by in ('token', 'dmarc', 'dkim', 'spf')),
  -- How its place was found.
  filed_by text check (filed_by in ('token', 'references', 'subject', 'address', 'gateway', 'staff')),
  filed_by_staff_id integer references staff,
  filed_at timestamptz,
  record_type text check (record_type <> ''),
  record_id integer,
  -- Whether filing it created the record, so that undo removes that again.
  created_record boolean not null default false,
  -- The email that it answers or reports about.
  mail_id integer references mails on delete set null,
  -- The message of a ticket that it became.
  ticket_message_id integer references ticket_messages on delete set null,
  -- The time in the Date header, if it is valid.
  written_at timestamptz,
  received_at timestamptz not null default now(),
  search text not null generated always as (left(search_text(from_name || ' ' || from_address::text || ' ' || subject), 1000)) stored,
  words text not null generated always as (search_text(left(text, 20000))) stored,
  sender_search text not null generated always as (search_text(from_name || ' ' || from_address::text)) stored,
  to_search text not null generated always as (search_text(joined_texts(to_addresses || cc_addresses))) stored,
  check ((record_type is null) = (record_id is null)),
  check ((state = 'filed') <= (record_type is not null)),
  check (state not in ('unsorted', 'spam', 'done') or record_type is null)
);
create index received_mails_newest on received_mails (state, id desc);
create index received_mails_of_record on received_mails (record_type, record_id, id desc) where record_type is not null;
create index received_mails_of_mail on received_mails (mail_id) where mail_id is not null;
create index received_mails_of_message on received_mails (ticket_message_id) where ticket_message_id is not null;
create index received_mails_of_sender on received_mails (from_address, id desc);
create index received_mails_search on received_mails using gin (search gin_trgm_ops);
create index received_mails_words on received_mails using gin (words gin_trgm_ops);

-- Addresses that bounced. A hard bounce marks an address immediately, soft ones mark it at the third.
create table bounced_addresses (
  address citext primary key check (address like '%_@_%' and char_length(address::text) <= 254),
  soft_count integer not null default 0 check (soft_count >= 0),
  marked_at timestamptz,
  kind text not null check (kind in ('hard', 'soft', 'complaint')),
  -- What the mail server said.
  error text not null default '' check (char_length(error) <= 1000),
  last_at timestamptz not null default now(),
  mail_id integer references mails on delete set null
);
create index bounced_addresses_newest on bounced_addresses (last_at desc, address);

-- Emails that arrived before: their replies find the ticket by References.
insert into received_mails (message_id, kind, state, from_name, from_address, subject, filed_by, record_type, record_id, ticket_message_id, received_at)
select m.message_id, 'message', 'filed', left(m.sender_name, 200), coalesce(m.sender_email, ''), left(t.title, 500), 'gateway', 'ticket', m.ticket_id, m.id, m.created_at
from ticket_messages m join tickets t on t.id = m.ticket_id
where m.message_id is not null and char_length(m.message_id) between 1 and 1000 and char_length(coalesce(m.sender_email, '')::text) <= 254;
