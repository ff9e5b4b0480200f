-- The numbers of the support report are kept with the ticket, and with the change of its status, so that the report of a year
-- reads them from indexes alone (docs/decisions/035).
-- long lock: the answered tickets are written again, and their indexes are built; with 200,000 of them it took less than a
-- minute on a busy machine.

-- Who wrote the first answer, beside when it was (migration 0251).
alter table tickets add column first_answer_by integer references staff;

-- Built again below, faster than written row by row.
drop index tickets_by_first_answer;
drop index tickets_counted_by_created;
drop index tickets_counted;

create or replace function refresh_first_answer(of_ticket integer) returns void language plpgsql as $$
begin
  -- Two answers at the same time see each other.
  perform from tickets where id = of_ticket for no key update;
  update tickets t set first_answer_at = a.at, first_answer_by = a.by
  from (select) one left join lateral (
    select m.created_at as at, m.staff_id as by from ticket_messages m
    where m.ticket_id = of_ticket and m.sent_by_admin and m.created_at > (select k.created_at from tickets k where k.id = of_ticket)
      and not exists (select from mails off where off.id = m.mail_id and off.called_off_at is not null)
    order by m.created_at, m.id limit 1
  ) a on true
  where t.id = of_ticket and (t.first_answer_at, t.first_answer_by) is distinct from (a.at, a.by);
end $$;

update tickets t set first_answer_by = a.by
from (
  select k.id, (select m.staff_id from ticket_messages m
    where m.ticket_id = k.id and m.sent_by_admin and m.created_at = k.first_answer_at
      and not exists (select from mails off where off.id = m.mail_id and off.called_off_at is not null)
    order by m.id limit 1) as by
  from tickets k where k.first_answer_at is not null
) a
where t.id = a.id and a.by is not null;

-- The time until a solution, on the change of status that is one: since the ticket's creation, or since it was last reopened,
-- without the time in which it waited for the customer.
alter table ticket_status_changes add column solved_after double precision;

create function is_solution(from_status integer, to_status integer) returns boolean language sql immutable parallel safe
  return to_status in (4, 5) and from_status not in (4, 5);

create function seconds_to_solution(of_ticket integer, solved_at timestamptz, change_id bigint)
returns double precision language sql stable as $$
  select extract(epoch from solved_at - b.at) - coalesce((
    select sum(extract(epoch from least(w.ended, solved_at) - w.changed_at)) from (
      select c.changed_at, c.to_status, lead(c.changed_at, 1, solved_at) over (order by c.changed_at, c.id) as ended
      from ticket_status_changes c where c.ticket_id = of_ticket) w
    where w.to_status = 3 and w.changed_at >= b.at and w.changed_at < solved_at), 0)
  from (select coalesce(max(c.changed_at), (select t.created_at from tickets t where t.id = of_ticket)) as at
    from ticket_status_changes c
    where c.ticket_id = of_ticket and c.from_status in (4, 5) and c.to_status not in (4, 5)
      and (c.changed_at, c.id) < (solved_at, change_id)) b
$$;

-- A change is usually the ticket's last one. Of two at the same time, the second waits for the ticket, but can be the earlier one.
create function note_solution() returns trigger language plpgsql as $$
begin
  update ticket_status_changes c set solved_after = seconds_to_solution(c.ticket_id, c.changed_at, c.id)
    where c.ticket_id = new.ticket_id and is_solution(c.from_status, c.to_status)
      and (c.changed_at, c.id) >= (new.changed_at, new.id);
  return null;
end $$;

lock table ticket_status_changes in share row exclusive mode;
update ticket_status_changes c set solved_after = seconds_to_solution(c.ticket_id, c.changed_at, c.id)
  where is_solution(c.from_status, c.to_status);
create trigger ticket_status_changes_solved after insert on ticket_status_changes
  for each row execute function note_solution();

-- The report and the dashboard read these indexes alone.
create index tickets_by_first_answer on tickets (first_answer_at)
  include (created_at, organization_id, category, assignee_id, staff_id, first_answer_by)
  where deleted_at is null and merged_into is null and spam_reason is null;
create index tickets_counted_by_created on tickets (created_at) include (status, organization_id, category, assignee_id, staff_id)
  where deleted_at is null and merged_into is null and spam_reason is null;
create index tickets_counted on tickets (id) include (created_at, organization_id, category, assignee_id, staff_id)
  where deleted_at is null and merged_into is null and spam_reason is null;
drop index ticket_status_changes_by_time;
create index ticket_status_changes_by_time on ticket_status_changes (changed_at)
  include (ticket_id, id, from_status, to_status, assignee_id, solved_after);
