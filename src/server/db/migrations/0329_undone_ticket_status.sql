-- An undone change of a ticket's status was a mistake, as for leads (migration 0283): neither the change nor its undo is
-- kept, so no service target ended or began with it, and the report doesn't count it. A redone one counts from then on.
create function forget_undone_ticket_status() returns trigger language plpgsql as $$
begin
  delete from ticket_status_changes c using (
    select n.record_id as ticket_id, (n.before ->> 'status')::integer as from_status, (n.after ->> 'status')::integer as to_status
    from gone o join entered n using (operation_id, record_type, record_id)
    where n.record_type = 'ticket' and n.undo = 'undone' and o.undo is distinct from 'undone'
      and n.before -> 'status' <> n.after -> 'status'
  ) undone cross join lateral (
    select array_agg(s.id) as ids, array_agg(array[s.from_status, s.to_status]) as steps from (
      select s.id, s.from_status, s.to_status from ticket_status_changes s where s.ticket_id = undone.ticket_id
      order by s.changed_at desc, s.id desc limit 2
    ) s
  ) last
  where c.id = any(last.ids)
    and last.steps = array[array[undone.to_status, undone.from_status], array[undone.from_status, undone.to_status]];
  return null;
end
$$;
create trigger ticket_status_undone after update on record_changes referencing old table as gone new table as entered
  for each statement execute function forget_undone_ticket_status();

create trigger ticket_status_changes_gone_clocks after delete on ticket_status_changes
  for each row execute function note_message_on_clocks();
