-- The email of a reply or forward belongs to the ticket that has the message, also after a merge, a split, and the undo or
-- redo of either.
create function move_mails_of_message() returns trigger language plpgsql as $$
begin
  update mails set record_id = new.ticket_id
    where record_type = 'ticket' and record_id = old.ticket_id
      and (id = new.mail_id or id in (select f.mail_id from ticket_forwards f where f.message_id = new.id));
  return null;
end $$;
create trigger ticket_messages_moved_mails after update of ticket_id on ticket_messages
  for each row when (old.ticket_id <> new.ticket_id) execute function move_mails_of_message();

-- Those of merges, and of splits that were undone.
update mails set record_id = m.ticket_id
  from (select ticket_id, mail_id from ticket_messages where mail_id is not null
    union all select m.ticket_id, f.mail_id from ticket_forwards f join ticket_messages m on m.id = f.message_id) m
  where mails.id = m.mail_id and mails.record_type = 'ticket' and mails.record_id <> m.ticket_id;

-- Undo and redo, too, leave a ticket with the time of the last message that it has then.
create or replace function empty_merged_ticket() returns trigger language plpgsql as $$
begin
  if new.merged_into is not null then
    update ticket_comments set ticket_id = new.merged_into where ticket_id = new.id;
    update ticket_messages set ticket_id = new.merged_into where ticket_id = new.id;
  end if;
  update tickets t set last_message_at = last.at
    from (select m.ticket_id, max(m.created_at) as at from ticket_messages m
      where m.ticket_id in (new.id, new.merged_into, old.merged_into)
        and not exists (select from mails off where off.id = m.mail_id and off.called_off_at is not null)
      group by m.ticket_id) last
    where t.id = last.ticket_id and t.last_message_at <> last.at;
  return null;
end $$;
drop trigger tickets_merged on tickets;
create constraint trigger tickets_merged after update of merged_into on tickets deferrable initially deferred
  for each row when (new.merged_into is distinct from old.merged_into)
  execute function empty_merged_ticket();
