-- Why work in the background stopped before its end (null if it didn't, or if that was not stored), and as whom
-- it ran: another user can continue an import, and undo or redo an operation again.
alter table lead_imports
  add run_by integer references staff,
  add stop_reason text check (stop_reason in ('account', 'permission', 'product', 'error'));
alter table operations
  add stopped_by integer references staff,
  add stop_reason text check (stop_reason in ('account', 'permission', 'product', 'error'));
