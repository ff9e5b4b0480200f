-- A merge brings answers to someone else into a ticket. They are no answers to its requester, so they are no first answer
-- and end no clock of a service target.

-- The ticket that a message was written in; null if that is its ticket.
alter table ticket_messages add written_in integer references tickets on delete set null check (written_in <> ticket_id);
-- long lock: no message has one yet, and the index leaves out those without one.
create index ticket_messages_written_in on ticket_messages (written_in) where written_in is not null;

create function keep_where_written() returns trigger language plpgsql as $$
begin
  new.written_in := nullif(coalesce(old.written_in, old.ticket_id), new.ticket_id);
  return new;
end $$;
create trigger ticket_messages_written_in before update of ticket_id on ticket_messages
  for each row when (old.ticket_id <> new.ticket_id) execute function keep_where_written();

-- Whether two tickets are requests of the same person. Those of whom nothing but a name is known count as the same.
create function have_same_requester(one integer, other integer) returns boolean language sql stable as $$
  select coalesce(a.customer_user_id = b.customer_user_id, false) or coalesce(a.staff_id = b.staff_id, false)
    or requester_address(one) is not distinct from requester_address(other)
  from tickets a, tickets b where a.id = one and b.id = other
$$;

-- Whether a message counts between requester and desk. An answer does if it reached the requester, or still can: its email
-- wasn't undone and didn't fail for them, and it wasn't an answer to the requester of a ticket that was merged into theirs.
-- A copy for others doesn't count. Admin users read the answers to their own requests in the panel. A question of another
-- requester does until it was answered in their own ticket.
create or replace function reaches_requester(m ticket_messages) returns boolean language sql stable as $$
  select (m.mail_id is null or not exists (select from mails a where a.id = m.mail_id and (a.called_off_at is not null
      or exists (select from mail_recipients r where r.mail_id = a.id and r.state = 'failed' and not r.is_cc)
        and exists (select from tickets t where t.id = m.ticket_id and t.staff_id is null))))
    and (m.written_in is null or have_same_requester(m.written_in, m.ticket_id)
      or not m.sent_by_admin and not exists (select from ticket_messages a where a.ticket_id = m.ticket_id
        and a.written_in = m.written_in and a.sent_by_admin and (a.created_at, a.id) > (m.created_at, m.id)))
$$;
