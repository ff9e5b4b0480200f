-- The support desk: tickets, their conversation, comments of staff, the board, and who was mentioned.
create table ticket_statuses (
  id smallint primary key,
  name text not null unique check (name <> ''),
  tone text not null default 'gray',
  position smallint not null default 0
);
insert into ticket_statuses (id, name, tone, position) values
  (0, 'Open', 'blue', 0), (1, 'In progress', 'cyan', 1), (2, 'In development', 'violet', 2), (3, 'Waiting for the customer', 'yellow', 3),
  (4, 'Resolved', 'green', 4), (5, 'Closed', 'gray', 5);

create table ticket_categories (
  id smallint primary key,
  name text not null unique check (name <> ''),
  tone text not null default 'gray',
  position smallint not null default 0
);
insert into ticket_categories (id, name, tone, position) values
  (1, 'General', 'gray', 0), (2, 'Technical', 'red', 1), (3, 'Billing', 'green', 2), (4, 'Training', 'blue', 3), (5, 'Feature request', 'violet', 4);

create table board_lists (
  id smallint primary key,
  name text not null unique check (name <> ''),
  position smallint not null default 0
);
insert into board_lists (id, name, position) values (1, 'To do', 0), (2, 'Doing', 1), (3, 'Waiting', 2), (4, 'Done', 3);

create table tickets (
  id integer generated always as identity primary key,
  title text not null check (title <> ''),
  category smallint not null default 1 references ticket_categories,
  status smallint not null default 0 references ticket_statuses,
  -- Null: of no organization yet.
  organization_id integer references organizations on delete set null,
  -- Who asks: a customer's user, or somebody of the staff, or an address that nobody has.
  customer_user_id integer references customer_users on delete set null,
  staff_id integer references staff,
  sender_name text not null default '',
  sender_email citext,
  -- We wait for the customer.
  customer_feedback boolean not null default false,
  delivery_date date,
  unique_folder text not null unique default replace(gen_random_uuid()::text, '-', ''),
  -- Stands in the Message-ID of our mails, so that an answer finds its ticket.
  reply_token text not null unique default replace(gen_random_uuid()::text, '-', ''),
  -- The board: a ticket with a list has a card.
  list_id smallint references board_lists,
  list_card_title text not null default '',
  list_card_desc text not null default '',
  card_position double precision not null default 0,
  -- The customer's newest message as long as nobody of the staff has opened it.
  unread_message_id integer,
  last_message_at timestamptz not null default now(),
  search text generated always as (lower(title)) stored,
  version integer not null default 1,
  created_by integer references staff,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  deleted_by integer references staff,
  check ((deleted_at is null) = (deleted_by is null)),
  constraint tickets_requester_check check (customer_user_id is null or staff_id is null)
);
create index tickets_newest on tickets (id desc) where deleted_at is null;
create index tickets_by_activity on tickets (last_message_at desc, id desc) where deleted_at is null;
create index tickets_by_status on tickets (status, last_message_at desc, id desc) where deleted_at is null;
create index tickets_by_category on tickets (category, last_message_at desc, id desc) where deleted_at is null;
create index tickets_of_organization on tickets (organization_id, last_message_at desc, id desc);
create index tickets_by_delivery on tickets (delivery_date, id) where deleted_at is null;
create index tickets_by_title on tickets (search, id) where deleted_at is null;
create index tickets_of_user on tickets (customer_user_id) where customer_user_id is not null;
create index tickets_of_staff on tickets (staff_id, id desc) where staff_id is not null;
create index tickets_unread on tickets (unread_message_id desc) where unread_message_id is not null and deleted_at is null;
create index tickets_on_board on tickets (list_id, card_position, id) where list_id is not null and deleted_at is null;
create index tickets_search on tickets using gin (search gin_trgm_ops) where deleted_at is null;
create index tickets_in_trash on tickets (deleted_at desc, id desc) where deleted_at is not null;

create table ticket_messages (
  id integer generated always as identity primary key,
  ticket_id integer not null references tickets on delete cascade,
  sent_by_admin boolean not null,
  staff_id integer references staff,
  customer_user_id integer references customer_users on delete set null,
  sender_name text not null default '',
  sender_email citext,
  -- HTML of the allow-list; of somebody else's making where it came by mail.
  message text not null,
  is_foreign boolean not null default false,
  -- Of the mail that brought it: the same mail is taken once.
  message_id text unique,
  -- The mail that carries it to the customer.
  mail_id integer references mails on delete set null,
  created_at timestamptz not null default now()
);
create index ticket_messages_of_ticket on ticket_messages (ticket_id, id);
create index ticket_messages_of_mail on ticket_messages (mail_id) where mail_id is not null;
alter table tickets add foreign key (unread_message_id) references ticket_messages on delete set null;

create table ticket_comments (
  id integer generated always as identity primary key,
  ticket_id integer not null references tickets on delete cascade,
  support_comment text not null check (support_comment <> ''),
  lead_id integer references leads on delete set null,
  organization_id integer references organizations on delete set null,
  message_id integer references ticket_messages on delete set null,
  created_by integer not null references staff,
  created_at timestamptz not null default now()
);
create index ticket_comments_of_ticket on ticket_comments (ticket_id, id);
create table ticket_comment_tags (
  comment_id integer not null references ticket_comments on delete cascade,
  staff_id integer not null references staff,
  primary key (comment_id, staff_id)
);

-- How far somebody has read a ticket: draws the line above what is new to them.
create table ticket_reads (
  ticket_id integer not null references tickets on delete cascade,
  staff_id integer not null references staff on delete cascade,
  message_id integer not null,
  read_at timestamptz not null default now(),
  primary key (ticket_id, staff_id)
);

-- Somebody named somebody else, at a record of any type.
create table mentions (
  id integer generated always as identity primary key,
  staff_id integer not null references staff on delete cascade,
  by_staff_id integer not null references staff,
  record_type text not null,
  record_id integer not null,
  title text not null,
  words text not null,
  created_at timestamptz not null default now(),
  read_at timestamptz
);
create index mentions_of_staff on mentions (staff_id, id desc);
create index mentions_unread on mentions (staff_id) where read_at is null;

-- News for customers' users.
create table notification_types (
  id smallint primary key,
  name text not null unique check (name <> ''),
  tone text not null default 'gray',
  position smallint not null default 0
);
insert into notification_types (id, name, tone, position) values (1, 'News', 'blue', 0), (2, 'Release', 'green', 1), (3, 'Maintenance', 'orange', 2), (4, 'Offer', 'violet', 3);

create table notifications (
  id integer generated always as identity primary key,
  subject text not null check (subject <> ''),
  message text not null default '',
  type smallint not null default 1 references notification_types,
  -- 0 draft, 1 sent.
  status smallint not null default 0 check (status in (0, 1)),
  -- Empty: all who are subscribed.
  emails text[] not null default '{}',
  mail_id integer references mails on delete set null,
  sent_to integer not null default 0,
  sent_at timestamptz,
  sent_by integer references staff,
  search text generated always as (lower(subject)) stored,
  version integer not null default 1,
  created_by integer references staff,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  deleted_by integer references staff,
  check ((deleted_at is null) = (deleted_by is null)),
  constraint notifications_sent_check check ((status = 1) = (sent_at is not null))
);
create index notifications_newest on notifications (id desc) where deleted_at is null;
create index notifications_by_status on notifications (status, id desc) where deleted_at is null;
create index notifications_search on notifications using gin (search gin_trgm_ops) where deleted_at is null;
create index notifications_in_trash on notifications (deleted_at desc, id desc) where deleted_at is not null;
