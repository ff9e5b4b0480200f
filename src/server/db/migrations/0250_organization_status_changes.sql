-- Each change of an organization's status, so that the dashboard can say how many were on trial earlier. A trigger writes
-- it, so that no way of changing a status is left out.
create table organization_status_changes (
  id bigint generated always as identity primary key,
  organization_id integer not null references organizations on delete cascade,
  from_status smallint not null,
  to_status smallint not null check (to_status <> from_status),
  changed_at timestamptz not null default now()
);
create index organization_status_changes_of_organization on organization_status_changes (organization_id, changed_at, id);
create index organization_status_changes_by_time on organization_status_changes (changed_at);
create index organizations_by_created on organizations (created_at) where deleted_at is null;

-- What the history of the organizations still knows.
insert into organization_status_changes (organization_id, from_status, to_status, changed_at)
  select g.organization_id, (c.before ->> 'status')::smallint, (c.after ->> 'status')::smallint, o.at
  from record_changes c join operations o on o.id = c.operation_id join organizations g on g.organization_id = c.record_id
  where c.record_type = 'organization' and c.undo is distinct from 'undone'
    and (c.before ->> 'status')::smallint <> (c.after ->> 'status')::smallint
  order by o.at, o.id;

create function note_organization_status() returns trigger language plpgsql as $$
begin
  insert into organization_status_changes (organization_id, from_status, to_status)
    values (new.organization_id, old.status, new.status);
  return null;
end $$;
create trigger organizations_status_changed after update of status on organizations
  for each row when (old.status <> new.status) execute function note_organization_status();
