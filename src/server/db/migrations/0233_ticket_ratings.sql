-- How satisfied customers are with the answers that resolved their tickets.
create table ticket_ratings (
  -- The reply whose email asks.
  message_id integer primary key references ticket_messages on delete cascade,
  asked_at timestamptz not null,
  -- Null until the customer answers.
  is_good boolean,
  comment text not null default '',
  rated_at timestamptz,
  check ((is_good is null) = (rated_at is null))
);
create index ticket_ratings_asked on ticket_ratings (asked_at);
create index ticket_ratings_rated on ticket_ratings (rated_at) where rated_at is not null;

alter table panel_settings drop constraint panel_settings_name_check;
alter table panel_settings add constraint panel_settings_name_check
  check (name in ('trial_days', 'reminder_days', 'working_hours', 'copyright', 'mail', 'reply_assigns', 'asks_rating'));

alter table notices drop constraint notices_kind_check;
alter table notices add constraint notices_kind_check
  check (kind in ('mention', 'email_failed', 'email_received', 'assigned', 'followed', 'snooze_ended', 'target_due', 'rated'));
