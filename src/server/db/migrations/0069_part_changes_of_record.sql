-- The history of a record finds the operations that changed its parts, and a note finds its own.
create index part_changes_of_record on part_changes (record_type, record_id);
