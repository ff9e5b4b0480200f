-- The version of an admin user's profile, so that two people who edit it at the same time don't overwrite each other.
alter table staff add column version integer not null default 1;
