-- Phone calls with customers, timed by the admin user who took them.
create table customer_calls (
  id integer generated always as identity primary key,
  staff_id integer not null references staff,
  organization_id integer not null references organizations on delete cascade,
  -- Null if the caller isn't one of the organization's users.
  customer_user_id integer references customer_users on delete set null,
  started_at timestamptz not null,
  seconds integer not null check (seconds between 0 and 86400)
);
create index customer_calls_of_staff on customer_calls (staff_id, started_at desc, id desc);
