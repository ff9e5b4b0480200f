-- How long a session takes, in minutes; its place or link; and further guests, by email address.
alter table lead_demos
  add minutes smallint not null default 60 check (minutes between 5 and 720),
  add place text not null default '' check (char_length(place) <= 300),
  add guests text[] not null default '{}' check (cardinality(guests) <= 20);

-- The admin users who hold a session. Without any, it is held by the lead's assignee.
create table lead_demo_hosts (
  id integer generated always as identity primary key,
  demo_id integer not null references lead_demos on delete cascade,
  staff_id integer not null references staff,
  unique (demo_id, staff_id)
);
create index lead_demo_hosts_of_staff on lead_demo_hosts (staff_id, demo_id);

-- What the guests have in their calendars.
alter table session_invitations
  add minutes smallint not null default 60,
  add place text not null default '',
  add guests text[] not null default '{}';
