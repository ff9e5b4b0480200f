-- How many open tickets each organization has, those in the trash and merged ones left out, so that the dashboard counts
-- them without reading them. As with lead_counts (migration 0007), a row is a difference, so nothing waits for a lock.
create table open_ticket_counts (
  -- 0: of tickets without an organization. Not a reference: an organization's rows add up to 0 when it is gone.
  organization_id integer not null,
  change integer not null
);

create function count_open_ticket() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.deleted_at is null and old.merged_into is null and old.status not in (4, 5) then
    insert into open_ticket_counts values (coalesce(old.organization_id, 0), -1);
  end if;
  if tg_op <> 'DELETE' and new.deleted_at is null and new.merged_into is null and new.status not in (4, 5) then
    insert into open_ticket_counts values (coalesce(new.organization_id, 0), 1);
  end if;
  return null;
end $$;

lock table tickets in share row exclusive mode;
create trigger tickets_open_changed after update on tickets for each row
  when ((old.organization_id, old.status, old.deleted_at is null, old.merged_into is null)
    is distinct from (new.organization_id, new.status, new.deleted_at is null, new.merged_into is null))
  execute function count_open_ticket();
create trigger tickets_open_counted after insert or delete on tickets for each row execute function count_open_ticket();

insert into open_ticket_counts
  select coalesce(organization_id, 0), count(*) from tickets
  where deleted_at is null and merged_into is null and status not in (4, 5) group by 1;
create index open_ticket_counts_of_organization on open_ticket_counts (organization_id) include (change);

-- The other numbers are read from these indexes alone.
drop index tickets_by_first_answer;
create index tickets_by_first_answer on tickets (first_answer_at) include (created_at, organization_id, staff_id)
  where deleted_at is null and merged_into is null;
create index tickets_counted_by_created on tickets (created_at) include (status, organization_id, staff_id)
  where deleted_at is null and merged_into is null;
create index tickets_counted on tickets (id) include (created_at, organization_id, staff_id)
  where deleted_at is null and merged_into is null;
drop index ticket_status_changes_by_time;
create index ticket_status_changes_by_time on ticket_status_changes (changed_at) include (ticket_id, from_status, to_status);
