-- A picture that is wider than a page shows it, as wide as that; texts load this one. Those that are there already have none.
alter table files add column wide_name text unique check (wide_name ~ '^[a-f0-9]{40}\.[a-z0-9]+$');
