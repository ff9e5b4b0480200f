-- A ticket leaves everyone's queue Unread when a colleague answers it, except for its followers and its assignee, and
-- for those who marked it as unread themselves.
-- long lock: the table has the unread tickets of each admin user; with 100,000 of them, the index is built within a second.
alter table ticket_unread
  add column is_marked boolean not null default false,
  -- When a colleague answered; null as long as the ticket is in the queue.
  add column answered_at timestamptz;
create index ticket_unread_unanswered on ticket_unread (staff_id, ticket_id) where answered_at is null;

create function note_answer_on_unread() returns trigger language plpgsql as $$
begin
  update ticket_unread u set answered_at = new.created_at
    where u.ticket_id = new.ticket_id and u.answered_at is null and not u.is_marked
      and u.staff_id is distinct from (select t.assignee_id from tickets t where t.id = new.ticket_id)
      and not exists (select from ticket_followers f where f.ticket_id = u.ticket_id and f.staff_id = u.staff_id);
  return null;
end $$;
create trigger ticket_messages_unread after insert on ticket_messages
  for each row when (new.sent_by_admin) execute function note_answer_on_unread();

-- An undone reply was never an answer.
create function note_undone_answer_on_unread() returns trigger language plpgsql as $$
begin
  update ticket_unread u set answered_at = null from ticket_messages m
    where m.mail_id = new.id and u.ticket_id = m.ticket_id and u.answered_at = m.created_at;
  return null;
end $$;
create trigger mails_undone_unread after update of called_off_at on mails
  for each row when (old.called_off_at is null and new.called_off_at is not null and new.record_type = 'ticket')
  execute function note_undone_answer_on_unread();

update ticket_unread u set answered_at = a.at
from (select m.ticket_id, max(m.created_at) as at from ticket_messages m where m.sent_by_admin group by 1) a
where a.ticket_id = u.ticket_id and a.at >= u.since
  and u.staff_id is distinct from (select t.assignee_id from tickets t where t.id = u.ticket_id)
  and not exists (select from ticket_followers f where f.ticket_id = u.ticket_id and f.staff_id = u.staff_id);
