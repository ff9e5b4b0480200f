-- Full names in one place: queries no longer join the parts themselves.
alter table staff add column name text not null generated always as (first_name || ' ' || last_name) stored;
alter table customer_users add column name text not null generated always as (trim(first_name || ' ' || last_name)) stored;
