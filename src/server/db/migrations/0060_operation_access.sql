-- The endpoint that an operation was done with, and its input if the access depends on it: undo and redo check that access again.
alter table operations add endpoint text not null default '', add input jsonb;
-- Older operations: the audit rows of the same transaction name it.
update operations o set endpoint = a.endpoint
  from (select distinct at, staff_id, endpoint from audit_log) a
  where a.at = o.at and a.staff_id = o.staff_id and o.record_type <> 'lead';
