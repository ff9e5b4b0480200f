-- The outbox is searched by subject and recipient, and filtered by author and day.
alter table mails add search text not null generated always as (left(search_text(subject), 640)) stored;
create index mails_search on mails using gin (search gin_trgm_ops);
create index mails_of_staff on mails (staff_id, id desc) where staff_id is not null;
create index mails_by_created on mails (created_at desc, id desc);
alter table mail_recipients
  add search text not null generated always as (left(search_text(address::text || ' ' || coalesce(name, '')), 640)) stored,
  -- When last_error was given.
  add last_error_at timestamptz;
create index mail_recipients_search on mail_recipients using gin (search gin_trgm_ops);
-- The state of the mail server: its last delivery and its last error.
create index mail_recipients_by_sent on mail_recipients (sent_at desc) where sent_at is not null;
create index mail_recipients_by_error on mail_recipients (last_error_at desc) where last_error_at is not null;
