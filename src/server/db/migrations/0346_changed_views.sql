-- Saved views can be changed: by whom last, and how often, so that a change based on an earlier version is refused and
-- those who have the view open see who changed it.
-- long lock: the table has at most 50 views of each admin user and list.
alter table saved_views
  add version integer not null default 1 check (version > 0),
  add changed_by integer references staff on delete set null;
create index saved_views_of_changer on saved_views (changed_by) where changed_by is not null;
