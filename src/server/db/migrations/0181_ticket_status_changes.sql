-- Each change of a ticket's status, with the assignee at that time, for reports. A trigger writes it, so that no way of
-- changing a status is left out.
create table ticket_status_changes (
  id bigint generated always as identity primary key,
  ticket_id integer not null references tickets on delete cascade,
  from_status integer not null,
  to_status integer not null check (to_status <> from_status),
  assignee_id integer references staff,
  changed_at timestamptz not null default now()
);
create index ticket_status_changes_of_ticket on ticket_status_changes (ticket_id, changed_at, id);
create index ticket_status_changes_by_time on ticket_status_changes (changed_at);

-- What the history of the tickets still knows.
insert into ticket_status_changes (ticket_id, from_status, to_status, assignee_id, changed_at)
  select t.id, (c.before ->> 'status')::integer, (c.after ->> 'status')::integer, t.assignee_id, o.at
  from record_changes c join operations o on o.id = c.operation_id join tickets t on t.id = c.record_id
  where c.record_type = 'ticket' and c.undo is distinct from 'undone'
    and (c.before ->> 'status')::integer <> (c.after ->> 'status')::integer
  order by o.at, o.id;

create function note_ticket_status() returns trigger language plpgsql as $$
begin
  insert into ticket_status_changes (ticket_id, from_status, to_status, assignee_id)
    values (new.id, old.status, new.status, new.assignee_id);
  return null;
end $$;
create trigger tickets_status_changed after update of status on tickets
  for each row when (old.status <> new.status) execute function note_ticket_status();
