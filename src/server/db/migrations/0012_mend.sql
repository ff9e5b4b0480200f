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

-- What was imported as a detail is found too, within the 640 characters of 0008.
alter table leads drop column search;
alter table leads add search text not null generated always as (
  left(
    lower(
      company_name || ' ' || contact_name || ' ' || email || ' ' || phone || ' ' || country || ' ' || coalesce(reference, '')
        || case when details = '[]' then '' else ' ' || jsonb_path_query_array(details, '$[*].value')::text end
    ),
    640
  )
) stored;
drop index if exists leads_by_day;
create index leads_by_day on leads (lead_for, lead_date desc, lead_id desc) include (search) where deleted_at is null;
create index leads_search on leads using gin (search gin_trgm_ops) where deleted_at is null;
