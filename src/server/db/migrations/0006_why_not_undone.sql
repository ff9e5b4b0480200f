-- Why a lead was left alone when an act was taken back, although nobody had changed it since.
alter table operation_changes
  add column undo_why text check (undo_why <> ''),
  add check (undo_why is null or undo = 'skipped');
