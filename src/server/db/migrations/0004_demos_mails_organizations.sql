-- Demos of leads, mails and their way out, organizations, and lists in an order of their own.

alter table leads
  -- An IANA name; the zone in which the lead reads a clock.
  add column timezone text not null default 'US/Eastern' check (timezone <> ''),
  -- What the last look at its website found, and at which address.
  add column website_up boolean,
  add column website_checked_at timestamptz,
  add column website_checked_url text;

-- Kinds of demos and sessions.
create table session_types (
  name text primary key check (name <> ''),
  position smallint not null default 0
);
insert into session_types (name, position) values ('Demo', 0), ('Second demo', 1), ('Training', 2), ('Questions', 3);

create table lead_demos (
  id integer generated always as identity primary key,
  lead_id integer not null references leads on delete cascade,
  type text not null references session_types on update cascade,
  -- When the lead would like it, and when it is.
  requested_date timestamptz,
  schedule_comment text not null default '',
  final_date timestamptz,
  final_comment text not null default '',
  -- The day on which the request came in.
  received_date date,
  status smallint not null default 1 check (status between 0 and 3),
  is_completed boolean not null generated always as (status = 3) stored,
  created_by integer references staff,
  created_at timestamptz not null default now(),
  constraint lead_demos_scheduled_check check (status <> 2 or final_date is not null)
);
create index lead_demos_of_lead on lead_demos (lead_id, id);
create index lead_demos_by_time on lead_demos ((coalesce(final_date, requested_date)), id);
create index lead_demos_by_type on lead_demos (type);

create table mails (
  id integer generated always as identity primary key,
  kind text not null check (kind <> ''),
  subject text not null check (subject <> ''),
  html text not null,
  text text not null,
  -- Null until the first attempt: MAIL_FROM may be set after the mail is written.
  "from" text,
  reply_to text,
  -- The same at each attempt, so that a mail that arrives twice is seen to be one.
  message_id text not null unique,
  lead_id integer references leads on delete set null,
  staff_id integer references staff,
  created_at timestamptz not null default now()
);
create index mails_of_lead on mails (lead_id, id desc) where lead_id is not null;

create table mail_recipients (
  mail_id integer not null references mails on delete cascade,
  address citext not null check (address like '%_@_%'),
  state text not null default 'waiting' check (state in ('waiting', 'sending', 'sent', 'failed')),
  attempts smallint not null default 0,
  next_try_at timestamptz not null default now(),
  -- When the attempt that is under way began.
  sending_since timestamptz,
  last_error text,
  sent_at timestamptz,
  primary key (mail_id, address),
  check ((state = 'sending') = (sending_since is not null)),
  check ((state = 'sent') = (sent_at is not null))
);
create index mail_recipients_by_state on mail_recipients (state, mail_id desc);
create index mail_recipients_to_do on mail_recipients (next_try_at) where state in ('waiting', 'sending');

create table prospection_questions (
  id integer generated always as identity primary key,
  name text not null unique check (name <> ''),
  position smallint not null default 0
);
insert into prospection_questions (name, position) values
  ('How many items of linen do you handle a week?', 0),
  ('Do you wash in house, or does a laundry?', 1),
  ('How do you count and track what you have today?', 2),
  ('How many sites do you run?', 3),
  ('When would you like to begin?', 4);
create table lead_prospection_answers (
  lead_id integer not null references leads on delete cascade,
  question_id integer not null references prospection_questions,
  answer text not null check (answer <> ''),
  staff_id integer not null references staff,
  answered_at timestamptz not null default now(),
  primary key (lead_id, question_id)
);
create index lead_prospection_answers_by_question on lead_prospection_answers (question_id);

create table organizations (
  organization_id integer generated always as identity primary key,
  name text not null check (name <> ''),
  -- 1 Active, 2 Trial, 3 Inactive, 4 Warning.
  status smallint not null default 2 check (status between 1 and 4),
  product_id smallint not null references products,
  timezone text not null default 'US/Eastern' check (timezone <> ''),
  state text not null default '',
  country text not null default '',
  -- The lead that it came from; the way back is found here too, so that both ends cannot differ.
  lead_id integer unique references leads on delete set null,
  version integer not null default 1,
  created_by integer references staff,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index organizations_by_name on organizations (lower(name), organization_id);

-- Lists that people put into an order of their own.
alter table lead_services add column position smallint not null default 0;
alter table lead_sources add column position smallint not null default 0;
alter table lead_cog_types add column position smallint not null default 0;
alter table lead_tags add column position smallint not null default 0;
