-- A merged ticket is hidden, so what arrived in it meanwhile moves along: if a merge is redone, or a split undone. At the
-- end of the transaction, because the operation first moves what it had moved.
create function empty_merged_ticket() returns trigger language plpgsql as $$
declare
  newest timestamptz;
begin
  update ticket_comments set ticket_id = new.merged_into where ticket_id = new.id;
  with moved as (update ticket_messages set ticket_id = new.merged_into where ticket_id = new.id returning created_at)
    select max(created_at) into newest from moved;
  update tickets set last_message_at = newest where id = new.merged_into and last_message_at < newest;
  return null;
end $$;
create constraint trigger tickets_merged after update of merged_into on tickets deferrable initially deferred
  for each row when (new.merged_into is not null and new.merged_into is distinct from old.merged_into)
  execute function empty_merged_ticket();

-- A message that no admin user has read stays unread in the ticket that it moves to.
create function move_unread_message() returns trigger language plpgsql as $$
begin
  update tickets set unread_message_id = null where id = old.ticket_id and unread_message_id = new.id;
  if found then
    update tickets set unread_message_id = coalesce(unread_message_id, new.id) where id = new.ticket_id;
  end if;
  return null;
end $$;
create trigger ticket_messages_moved_unread after update of ticket_id on ticket_messages
  for each row when (old.ticket_id <> new.ticket_id) execute function move_unread_message();
