-- Tickets are assigned, have a priority (1 is the most urgent), and are grouped by tags.
create table ticket_tags (
  id integer generated always as identity primary key,
  name text not null unique check (name <> '' and char_length(name) <= 200),
  position integer not null default 0
);
alter table tickets
  add column assignee_id integer references staff,
  add column priority smallint not null default 3 check (priority between 1 and 4);
create table ticket_tag_links (
  ticket_id integer not null references tickets on delete cascade,
  tag_id integer not null references ticket_tags on delete cascade,
  primary key (ticket_id, tag_id)
);
create index ticket_tag_links_of_tag on ticket_tag_links (tag_id, ticket_id);
create index tickets_of_assignee on tickets (assignee_id, last_message_at desc, id desc) where deleted_at is null;
create index tickets_open_of_assignee on tickets (assignee_id) where assignee_id is not null and deleted_at is null and status not in (4, 5);
create index tickets_by_priority on tickets (priority, last_message_at desc, id desc) where deleted_at is null;

-- A notice can also be about an assigned, a followed, or a snoozed ticket.
alter table notices drop constraint notices_kind_check;
alter table notices add constraint notices_kind_check check (kind in ('mention', 'email_failed', 'email_received', 'assigned', 'followed', 'snooze_ended'));

-- Tickets with a customer's message that an admin user has not read, or that they marked as unread. The desk's own
-- mark is `tickets.unread_message_id`.
create table ticket_unread (
  staff_id integer not null references staff on delete cascade,
  ticket_id integer not null references tickets on delete cascade,
  since timestamptz not null default now(),
  primary key (staff_id, ticket_id)
);
create index ticket_unread_of_ticket on ticket_unread (ticket_id);

-- Admin users who get a notice of each message and internal comment.
create table ticket_followers (
  ticket_id integer not null references tickets on delete cascade,
  staff_id integer not null references staff on delete cascade,
  since timestamptz not null default now(),
  primary key (ticket_id, staff_id)
);
create index ticket_followers_of_staff on ticket_followers (staff_id, ticket_id);

-- Tickets that an admin user's queues leave out until a time, or, without one, until the customer writes.
create table ticket_snoozes (
  staff_id integer not null references staff on delete cascade,
  ticket_id integer not null references tickets on delete cascade,
  until timestamptz,
  primary key (staff_id, ticket_id)
);
create index ticket_snoozes_of_ticket on ticket_snoozes (ticket_id);
create index ticket_snoozes_by_time on ticket_snoozes (until) where until is not null;

alter table panel_settings drop constraint panel_settings_name_check;
alter table panel_settings add constraint panel_settings_name_check check (name in ('trial_days', 'reminder_days', 'working_hours', 'copyright', 'mail', 'reply_assigns'));
