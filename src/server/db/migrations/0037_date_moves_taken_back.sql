-- A move that was taken back is told like any other, and takes one off how often the date moved.
alter table task_date_moves add column undoes boolean not null default false;
-- What is taken back may have been the first date.
alter table task_date_moves alter column new_date drop not null;
