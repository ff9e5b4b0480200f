-- Staff who are dismissed and come back, invitations, senders of mails to many, and what people set of the panel.
alter table staff
  add ban_reason text not null default '',
  -- A dismissed person stays, because logs refer to them; they are banned as well.
  add deleted_at timestamptz,
  add deleted_by integer references staff,
  add constraint staff_deleted_check check ((deleted_at is null) = (deleted_by is null) and (deleted_at is null or banned_at is not null));
create index staff_by_name on staff (first_name, last_name, id);

-- Links that set a password, once and for 48 hours. Only the SHA-256 of the token is kept.
create table staff_invitations (
  token_hash bytea primary key check (length(token_hash) = 32),
  staff_id integer not null references staff on delete cascade,
  kind text not null check (kind in ('invited', 'forgotten')),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index staff_invitations_of_staff on staff_invitations (staff_id, created_at desc);

-- What was handed over when somebody was dismissed, so that it comes back with them: { leads: [ids], ... }.
create table staff_handovers (
  id integer generated always as identity primary key,
  staff_id integer not null references staff on delete cascade,
  to_staff_id integer not null references staff on delete cascade,
  items jsonb not null,
  created_at timestamptz not null default now(),
  undone_at timestamptz
);
create index staff_handovers_open on staff_handovers (staff_id, id) where undone_at is null;
create index staff_handovers_by_receiver on staff_handovers (to_staff_id);

-- What a dismissed person holds is counted.
create index onboardings_of_person on onboardings (assign_to) where deleted_at is null;
create index onboardings_done_by on onboardings (onboarding_by) where deleted_at is null;
create index organizations_of_person on organizations (assign_to) where deleted_at is null;

-- To whom somebody's mails to many go: single users and whole organizations, a list per person and product.
create table mail_senders (
  id integer generated always as identity primary key,
  staff_id integer not null references staff on delete cascade,
  product_id smallint not null references products,
  user_id integer references customer_users on delete cascade,
  organization_id integer references organizations on delete cascade,
  created_at timestamptz not null default now(),
  check ((user_id is null) <> (organization_id is null))
);
create unique index mail_senders_of_users on mail_senders (staff_id, product_id, user_id) where user_id is not null;
create unique index mail_senders_of_organizations on mail_senders (staff_id, product_id, organization_id) where organization_id is not null;
create index mail_senders_by_user on mail_senders (user_id) where user_id is not null;
create index mail_senders_by_organization on mail_senders (organization_id) where organization_id is not null;

create index customer_users_not_subscribed on customer_users (id desc) where is_subscribed = 0 and deleted_at is null;
create index customer_users_all_masters on customer_users (id desc) where is_master and deleted_at is null;
create index customer_users_ban_ends on customer_users (banned_until) where banned_until is not null;

-- Logs by day and by area.
create index audit_log_by_day on audit_log (at);
create index audit_log_of_area on audit_log (target_type, id desc) where target_type is not null;

-- Settings that people change while the panel runs; what is not here, the environment says.
create table panel_settings (
  name text primary key check (name in ('trial_days', 'reminder_days', 'working_hours', 'copyright')),
  value jsonb not null,
  updated_by integer references staff,
  updated_at timestamptz not null default now()
);

alter table products
  -- Where the customers of the product set their credentials.
  add credentials_url text not null default '' check (credentials_url = '' or credentials_url ~* '^https?://'),
  add widget_url text not null default '' check (widget_url = '' or widget_url ~* '^https://'),
  add widget_on boolean not null default false check (not widget_on or widget_url <> '');

-- How many days before an end is reminded is a setting now.
alter table organization_reminders drop constraint organization_reminders_days_before_check, add constraint organization_reminders_days_before_check check (days_before between 0 and 90);
