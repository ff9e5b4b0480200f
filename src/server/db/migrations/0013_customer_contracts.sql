-- Contracts with customers.
create table contract_statuses (
  id smallint primary key,
  name text not null unique check (name <> ''),
  tone text not null default 'gray',
  position smallint not null default 0
);
insert into contract_statuses (id, name, tone, position) values (1, 'Draft', 'gray', 0), (2, 'In force', 'green', 1), (3, 'Ended', 'blue', 2), (4, 'Cancelled', 'red', 3);

create table customer_contracts (
  id integer generated always as identity primary key,
  title text not null check (title <> ''),
  due_date date,
  status smallint not null default 1 references contract_statuses,
  -- HTML of the allow-list.
  content text not null default '',
  organization_id integer references organizations on delete set null,
  search text generated always as (lower(title)) stored,
  version integer not null default 1,
  created_by integer references staff,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  deleted_by integer references staff,
  check ((deleted_at is null) = (deleted_by is null))
);
create index customer_contracts_newest on customer_contracts (id desc) where deleted_at is null;
create index customer_contracts_by_status on customer_contracts (status, id desc) where deleted_at is null;
create index customer_contracts_by_due_date on customer_contracts (due_date, id) where deleted_at is null;
create index customer_contracts_by_title on customer_contracts (search, id) where deleted_at is null;
create index customer_contracts_of_organization on customer_contracts (organization_id) where organization_id is not null;
create index customer_contracts_search on customer_contracts using gin (search gin_trgm_ops) where deleted_at is null;
create index customer_contracts_in_trash on customer_contracts (deleted_at desc, id desc) where deleted_at is not null;
