-- How many open tickets each assignee has, so that the dashboard shows it, and their total, without reading the tickets. For
-- readers who see all organizations: the tickets of an organization have many assignees, so counts by both would be almost as
-- many as tickets. A row is a difference, as in open_ticket_counts (migration 0252), which only a process of the version
-- before still reads; a later migration removes it.
-- long lock: the open tickets are counted once and indexed, which took less than a second for 200,000 tickets, and a change in
-- between would be missed.
create table assigned_ticket_counts (
  -- 0: of tickets without an assignee. Not a reference: the rows of a user whose tickets are gone add up to 0.
  assignee_id integer not null,
  change integer not null
);

create or replace function count_open_ticket() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.deleted_at is null and old.merged_into is null and old.status not in (4, 5) then
    insert into open_ticket_counts values (coalesce(old.organization_id, 0), -1);
    insert into assigned_ticket_counts values (coalesce(old.assignee_id, 0), -1);
  end if;
  if tg_op <> 'DELETE' and new.deleted_at is null and new.merged_into is null and new.status not in (4, 5) then
    insert into open_ticket_counts values (coalesce(new.organization_id, 0), 1);
    insert into assigned_ticket_counts values (coalesce(new.assignee_id, 0), 1);
  end if;
  return null;
end $$;

lock table tickets in share row exclusive mode;
drop trigger tickets_open_changed on tickets;
create trigger tickets_open_changed after update on tickets for each row
  when ((old.organization_id, old.assignee_id, old.status, old.deleted_at is null, old.merged_into is null)
    is distinct from (new.organization_id, new.assignee_id, new.status, new.deleted_at is null, new.merged_into is null))
  execute function count_open_ticket();

insert into assigned_ticket_counts
  select coalesce(assignee_id, 0), count(*) from tickets
  where deleted_at is null and merged_into is null and status not in (4, 5) group by 1;

-- Readers who don't see all organizations: the open tickets are counted from this index alone.
create index tickets_open_by_organization on tickets (organization_id) include (assignee_id, staff_id)
  where deleted_at is null and merged_into is null and status not in (4, 5);
