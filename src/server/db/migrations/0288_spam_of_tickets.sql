-- Tickets that a rule or an admin user marked as spam: lists leave them out, and nothing is deleted.
-- long lock: the tickets are scanned for two indexes, as in migration 0270. No ticket is spam yet, so no count changes.
alter table tickets
  add spam_reason text check (char_length(spam_reason) between 1 and 300);
create index tickets_of_spam on tickets (last_message_at desc, id desc)
  where deleted_at is null and merged_into is null and spam_reason is not null;
-- Readers who don't see all organizations: the open tickets are counted from this index alone (migration 0270).
drop index tickets_open_by_organization;
create index tickets_open_by_organization on tickets (organization_id) include (assignee_id, staff_id)
  where deleted_at is null and merged_into is null and spam_reason is null and status not in (4, 5);
alter table ticket_rules add mark_spam boolean not null default false;

-- Spam is not counted as open (migration 0270).
create or replace function count_open_ticket() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.deleted_at is null and old.merged_into is null and old.spam_reason is null
      and old.status not in (4, 5) then
    insert into open_ticket_counts values (coalesce(old.organization_id, 0), -1);
    insert into assigned_ticket_counts values (coalesce(old.assignee_id, 0), -1);
  end if;
  if tg_op <> 'DELETE' and new.deleted_at is null and new.merged_into is null and new.spam_reason is null
      and new.status not in (4, 5) then
    insert into open_ticket_counts values (coalesce(new.organization_id, 0), 1);
    insert into assigned_ticket_counts values (coalesce(new.assignee_id, 0), 1);
  end if;
  return null;
end $$;

lock table tickets in share row exclusive mode;
drop trigger tickets_open_changed on tickets;
create trigger tickets_open_changed after update on tickets for each row
  when ((old.organization_id, old.assignee_id, old.status, old.deleted_at is null, old.merged_into is null,
      old.spam_reason is null)
    is distinct from (new.organization_id, new.assignee_id, new.status, new.deleted_at is null, new.merged_into is null,
      new.spam_reason is null))
  execute function count_open_ticket();
