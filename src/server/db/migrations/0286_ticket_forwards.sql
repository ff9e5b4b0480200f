-- Messages of tickets that were forwarded by email. A forward belongs to the ticket that has its message, so it
-- follows the message when tickets are merged or split.
create table ticket_forwards (
  id integer generated always as identity primary key,
  message_id integer not null references ticket_messages on delete cascade,
  mail_id integer not null unique references mails on delete cascade,
  staff_id integer not null references staff,
  -- Cleaned HTML, without the message and the signature.
  content text not null default '' check (char_length(content) <= 200000),
  created_at timestamptz not null default now()
);
create index ticket_forwards_of_message on ticket_forwards (message_id);
