-- When the first answer to a ticket reached its conversation, so that the dashboard's median doesn't search the messages of
-- each ticket. A trigger writes it, as it does the clocks (migration 0230): an undone reply was never an answer.
alter table tickets add first_answer_at timestamptz;

create function refresh_first_answer(of_ticket integer) returns void language plpgsql as $$
begin
  -- Two answers at the same time see each other.
  perform from tickets where id = of_ticket for no key update;
  update tickets t set first_answer_at = a.at
  from (
    select k.id, (
      select m.created_at from ticket_messages m
      where m.ticket_id = k.id and m.sent_by_admin and m.created_at > k.created_at
        and not exists (select from mails off where off.id = m.mail_id and off.called_off_at is not null)
      order by m.created_at, m.id limit 1
    ) as at
    from tickets k where k.id = of_ticket
  ) a
  where t.id = a.id and t.first_answer_at is distinct from a.at;
end $$;

create function note_answer() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then perform refresh_first_answer(old.ticket_id); end if;
  if tg_op <> 'DELETE' then perform refresh_first_answer(new.ticket_id); end if;
  return null;
end $$;
create trigger ticket_messages_answered after insert on ticket_messages
  for each row when (new.sent_by_admin) execute function note_answer();
create trigger ticket_messages_unanswered after delete on ticket_messages
  for each row when (old.sent_by_admin) execute function note_answer();
create trigger ticket_messages_answer_moved after update of ticket_id, created_at on ticket_messages
  for each row when (new.sent_by_admin and (old.ticket_id, old.created_at) <> (new.ticket_id, new.created_at))
  execute function note_answer();

create function note_called_off_answer() returns trigger language plpgsql as $$
begin
  perform refresh_first_answer(m.ticket_id) from ticket_messages m where m.mail_id = new.id and m.sent_by_admin;
  return null;
end $$;
create trigger mails_called_off_answers after update of called_off_at on mails
  for each row when (old.called_off_at is distinct from new.called_off_at) execute function note_called_off_answer();

update tickets t set first_answer_at = a.at
from (
  select k.id, (
    select m.created_at from ticket_messages m
    where m.ticket_id = k.id and m.sent_by_admin and m.created_at > k.created_at
      and not exists (select from mails off where off.id = m.mail_id and off.called_off_at is not null)
    order by m.created_at, m.id limit 1
  ) as at
  from tickets k
) a
where t.id = a.id and a.at is not null;

create index tickets_by_first_answer on tickets (first_answer_at) where deleted_at is null;
