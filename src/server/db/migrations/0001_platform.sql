-- Who works here, what each may do, and what was done.
create extension if not exists citext;
create extension if not exists pg_trgm;

create table products (
  id smallint primary key check (id between 1 and 4),
  slug text not null unique check (slug ~ '^[a-z0-9-]+$'),
  name text not null check (name <> ''),
  status smallint not null default 1
);

create table roles (
  id smallint primary key check (id between 0 and 13),
  name text not null unique,
  -- Grows with every grant and revocation, so that a process knows whether the set that it keeps is still right.
  grants_version integer not null default 1
);

create table permissions (
  name text primary key,
  position smallint not null
);

create table role_permissions (
  role_id smallint not null references roles,
  permission text not null references permissions on delete cascade,
  primary key (role_id, permission)
);

create function count_grant_change() returns trigger language plpgsql as $$
begin
  update roles set grants_version = grants_version + 1 where id in (select role_id from changed);
  return null;
end $$;
create trigger count_grants after insert on role_permissions referencing new table as changed for each statement execute function count_grant_change();
create trigger count_revocations after delete on role_permissions referencing old table as changed for each statement execute function count_grant_change();

create table staff (
  id integer generated always as identity primary key,
  user_name citext not null unique check (user_name <> '' and length(user_name) <= 60),
  first_name text not null check (first_name <> ''),
  last_name text not null check (last_name <> ''),
  email citext not null unique check (email like '%_@_%'),
  role_id smallint not null references roles,
  slug text not null unique,
  picture text check (picture ~ '^[a-f0-9]{40}\.webp$'),
  password_hash text not null,
  banned_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index staff_by_role on staff (role_id);

create table staff_products (
  staff_id integer not null references staff on delete cascade,
  product_id smallint not null references products,
  primary key (staff_id, product_id)
);

create table teams (
  id integer generated always as identity primary key,
  name text not null unique check (name <> '')
);

create table team_members (
  team_id integer not null references teams on delete cascade,
  staff_id integer not null references staff on delete cascade,
  primary key (team_id, staff_id)
);
create index team_members_by_staff on team_members (staff_id);

create table task_types (
  id integer generated always as identity primary key,
  name text not null unique check (name <> '')
);

-- Only the SHA-256 of a token is kept.
create table sessions (
  id integer generated always as identity primary key,
  token_hash bytea not null unique check (length(token_hash) = 32),
  staff_id integer not null references staff on delete cascade,
  remember boolean not null,
  address text not null,
  user_agent text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null,
  ended_at timestamptz
);
create index sessions_of_staff on sessions (staff_id) where ended_at is null;

-- Failed sign-ins per account and per address; rate-limiter-flexible keeps it.
create table login_failures (
  key text primary key,
  points integer not null default 0,
  expire bigint
);

create table idempotency_keys (
  staff_id integer not null references staff on delete cascade,
  key text not null check (length(key) between 8 and 100),
  endpoint text not null,
  -- SHA-256 of what was sent: the same key with another request is refused.
  request_hash bytea not null,
  status smallint,
  reply text,
  created_at timestamptz not null default now(),
  primary key (staff_id, key)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);

create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  staff_id integer references staff,
  -- Effective method and path of the endpoint, as `POST /admin/users/save-demo-requests`.
  endpoint text not null,
  target_type text,
  target_id bigint,
  -- { field: [before, after] }, secrets masked.
  changes jsonb not null default '{}',
  address text not null,
  request_id text not null
);
create index audit_log_of_target on audit_log (target_type, target_id, id desc) where target_type is not null;
create index audit_log_of_staff on audit_log (staff_id, id desc);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end $$;
create trigger audit_log_is_append_only before update or delete on audit_log for each row execute function refuse_change();
create trigger audit_log_is_never_emptied before truncate on audit_log for each statement execute function refuse_change();

-- The last Super Admin cannot be demoted, banned or deleted.
create function keep_a_super_admin() returns trigger language plpgsql as $$
begin
  if old.role_id = 0 and old.banned_at is null and (tg_op = 'DELETE' or new.role_id <> 0 or new.banned_at is not null) then
    -- Two people who demote the last two at the same moment wait for each other here.
    perform pg_advisory_xact_lock(hashtext('keep_a_super_admin'));
    if not exists (select 1 from staff where role_id = 0 and banned_at is null and id <> old.id) then
      raise exception 'The last Super Admin cannot be demoted, banned or deleted.' using errcode = 'check_violation', constraint = 'keep_a_super_admin';
    end if;
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end $$;
create trigger keep_a_super_admin before update or delete on staff for each row execute function keep_a_super_admin();

-- Role 0 cannot lose anything.
create function keep_super_admin_grants() returns trigger language plpgsql as $$
begin
  if old.role_id = 0 and exists (select 1 from permissions where name = old.permission) then
    raise exception 'Super Admin keeps every permission.' using errcode = 'check_violation', constraint = 'keep_super_admin_grants';
  end if;
  return old;
end $$;
create trigger keep_super_admin_grants before delete on role_permissions for each row execute function keep_super_admin_grants();
