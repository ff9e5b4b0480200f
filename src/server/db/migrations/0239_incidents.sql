-- An incident is a ticket to which others are linked; `incident_id` names it. The links have one level: an incident is
-- not part of another one, and as long as tickets are linked to it, it isn't merged into another ticket either.
alter table tickets add incident_id integer references tickets
  constraint tickets_incident_itself check (incident_id <> id);
create index tickets_of_incident on tickets (incident_id) where incident_id is not null;

-- After the statement, which can link some tickets and unlink others.
create function check_incident() returns trigger language plpgsql as $$
declare
  incident tickets;
begin
  -- Locked, so that two tickets that are linked to each other at the same time don't both pass.
  select * into incident from tickets where id = new.incident_id for update;
  if incident.incident_id is not null or incident.merged_into is not null then
    raise exception 'The incident is part of another one' using errcode = '23514', constraint = 'tickets_incident_one_level';
  end if;
  if exists (select from tickets p where p.incident_id = new.id) then
    raise exception 'Other tickets are linked to it' using errcode = '23514', constraint = 'tickets_incident_has_parts';
  end if;
  return null;
end $$;
create trigger tickets_incident after insert or update of incident_id, merged_into on tickets
  for each row when (new.incident_id is not null or new.merged_into is not null) execute function check_incident();
