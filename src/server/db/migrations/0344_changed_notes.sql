-- A note can be edited, and pinned above the timeline of its record.
alter table notes add edited_at timestamptz, add pinned_at timestamptz;

-- Notices of a note: people are notified once of a mention, and a deleted note hides them.
-- long lock: the index reads the table once; notices are one per mention or event, and with 200,000 it took less than a second.
create index notices_of_entries on notices (anchor) where anchor <> '';

-- A notice quotes its note: it is hidden with it until the deletion is undone.
create function withdraw_notices_of_record_note() returns trigger language plpgsql as $$
declare
  note notes := case when tg_op = 'DELETE' then old else new end;
begin
  update notices set withdrawn = tg_op = 'DELETE'
    where record_type = note.record_type and anchor <> '' and anchor = 'note-' || note.id;
  return null;
end $$;

create trigger withdraw_notices after insert or delete on notes
  for each row execute function withdraw_notices_of_record_note();
