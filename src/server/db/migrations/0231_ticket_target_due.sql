-- When the service target of a ticket that ends first is missed, kept with the ticket, so that lists sort and filter by it.
alter table tickets add column target_due_at timestamptz;
update tickets t set target_due_at = c.due_at from (
  select ticket_id, min(due_at) as due_at from ticket_clocks where ended_at is null group by ticket_id) c
  where c.ticket_id = t.id and c.due_at is not null;
create index tickets_by_target on tickets (target_due_at, id) where deleted_at is null;
create index tickets_by_target_desc on tickets (target_due_at desc nulls last, id desc) where deleted_at is null;
drop index ticket_clocks_due;

create function note_target_due() returns trigger language plpgsql as $$
begin
  update tickets t set target_due_at = (select min(c.due_at) from ticket_clocks c where c.ticket_id = t.id and c.ended_at is null)
    where t.id = coalesce(new.ticket_id, old.ticket_id);
  return null;
end $$;
create trigger ticket_clocks_due_set after insert on ticket_clocks
  for each row when (new.due_at is not null) execute function note_target_due();
create trigger ticket_clocks_due_changed after update of due_at on ticket_clocks
  for each row when (old.due_at is distinct from new.due_at) execute function note_target_due();
create trigger ticket_clocks_due_removed after delete on ticket_clocks
  for each row when (old.due_at is not null) execute function note_target_due();

-- For reports of the targets that were met and missed.
create index ticket_clocks_ended on ticket_clocks (ended_at) where minutes is not null;
create index ticket_clocks_due on ticket_clocks (due_at) where due_at is not null;
