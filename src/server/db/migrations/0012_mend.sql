-- Every sign-in, refused or not, and every session's end: what a login log shows. The typed name is kept only where it is an account's.
create table sign_ins (
  id bigint generated always as identity primary key,
  staff_id integer references staff,
  user_name text,
  outcome text not null check (outcome in ('signed_in', 'refused', 'locked', 'ended')),
  address text not null,
  -- Browser and system in words.
  device text not null,
  at timestamptz not null default now(),
  check ((staff_id is null) = (user_name is null)),
  check (staff_id is not null or outcome in ('refused', 'locked'))
);
create index sign_ins_newest on sign_ins (at desc, id desc);
create index sign_ins_of_staff on sign_ins (staff_id, at desc, id desc);
create trigger sign_ins_is_append_only before update or delete on sign_ins for each row execute function refuse_change();
create trigger sign_ins_is_never_emptied before truncate on sign_ins for each statement execute function refuse_change();

-- Whoever signed in from an address before is not locked out by strangers.
create index sessions_by_address on sessions (staff_id, address);

-- The name that the seed gave a product: one that differs was edited and stays.
alter table products add seeded_name text;
update products set seeded_name = name where id = 1;

-- The calendar day of the person who starts an import: the lead date of rows that name none.
alter table lead_imports add today date;
