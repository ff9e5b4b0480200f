-- Whether the note that a notice quotes is deleted: the notice is hidden, and comes back when the deletion is undone.
alter table notices add withdrawn boolean not null default false;

-- long lock: the index has only notices of entries of tickets; with 200,000 of them, it took less than a second.
create index notices_of_note on notices (record_id, anchor) where record_type = 'ticket' and anchor <> '';

create function withdraw_notices_of_note() returns trigger language plpgsql as $$
begin
  update notices set withdrawn = new.deleted_at is not null
    where record_type = 'ticket' and record_id = new.ticket_id and anchor <> '' and anchor = 'comment-' || new.id;
  return null;
end $$;

create trigger withdraw_notices after update of deleted_at on ticket_comments
  for each row when (old.deleted_at is distinct from new.deleted_at) execute function withdraw_notices_of_note();

update notices n set withdrawn = true from ticket_comments c
  where c.deleted_at is not null and n.record_type = 'ticket' and n.record_id = c.ticket_id and n.anchor = 'comment-' || c.id;
