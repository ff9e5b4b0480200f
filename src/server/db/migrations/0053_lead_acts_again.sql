-- One table keeps what acts changed, of leads too, so that every act can be done again.
alter table record_changes add undo_why text;

insert into record_changes (operation_id, record_type, record_id, before, after, version_before, version_after, undo, undo_why, version_undone)
  select operation_id, 'lead', lead_id, before, after, version_before, version_after, undo, undo_why, case when undo = 'undone' then version_after + 1 end
  from operation_changes;
drop table operation_changes;
create index record_changes_to_turn on record_changes (operation_id, record_id) where record_type = 'lead';

-- An act on very many leads is done again in the background, as it was done and undone.
alter table operations drop constraint operations_state_check;
alter table operations add constraint operations_state_check check (state in ('running', 'done', 'failed', 'undoing', 'undone', 'redoing'));
alter table operations drop constraint operations_check1;
alter table operations add constraint operations_undone_check check ((undone_at is not null) = (state in ('undoing', 'undone', 'redoing')));

-- A change of one lead is an act as well, and stands in no list of acts.
create index operations_listed on operations (staff_id, id desc) where record_type = 'lead' and kind <> 'edit';
