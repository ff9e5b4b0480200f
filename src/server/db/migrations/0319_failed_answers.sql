-- A reply whose email finally failed reached no one, so it is no first answer, and no clock of a service target ends with it.
-- If it is sent again, it is one from then on, unless that fails, too.

-- Whether a message reached the requester, or still can: its email wasn't undone and didn't fail for them. A copy for others
-- doesn't count. Admin users read the answers to their own requests in the panel.
create function reaches_requester(m ticket_messages) returns boolean language sql stable as $$
  select m.mail_id is null or not exists (select from mails a where a.id = m.mail_id and (a.called_off_at is not null
    or exists (select from mail_recipients r where r.mail_id = a.id and r.state = 'failed' and not r.is_cc)
      and exists (select from tickets t where t.id = m.ticket_id and t.staff_id is null)))
$$;

create or replace function refresh_first_answer(of_ticket integer) returns void language plpgsql as $$
begin
  -- Two answers at the same time see each other.
  perform from tickets where id = of_ticket for no key update;
  update tickets t set first_answer_at = a.at, first_answer_by = a.by
  from (select) one left join lateral (
    select m.created_at as at, m.staff_id as by from ticket_messages m
    where m.ticket_id = of_ticket and m.sent_by_admin and reaches_requester(m)
      and m.created_at > (select k.created_at from tickets k where k.id = of_ticket)
    order by m.created_at, m.id limit 1
  ) a on true
  where t.id = of_ticket and (t.first_answer_at, t.first_answer_by) is distinct from (a.at, a.by);
end $$;

-- Computes the clocks of a ticket from its messages and status changes.
create or replace function refresh_ticket_clocks(of_ticket integer) returns void language plpgsql as $$
declare
  settings service_settings;
  t tickets;
  event record;
  response ticket_clocks;
  solving ticket_clocks;
  is_solving boolean := false;
  is_awaited boolean := false;
  was_answered boolean := false;
  runs_since timestamptz;
  used bigint := 0;
  kept text[] := '{}';
begin
  select * into settings from service_settings;
  if not found then return; end if;
  -- Two messages at the same time see each other: the second waits for the first.
  select * into t from tickets where id = of_ticket for no key update;
  if not found or t.merged_into is not null then
    delete from ticket_clocks where ticket_id = of_ticket and ended_at is null;
    return;
  end if;
  for event in
    select t.created_at as at, 'status' as what, 0 as turn, 0::bigint as id,
      coalesce((select c.from_status from ticket_status_changes c where c.ticket_id = t.id order by c.changed_at, c.id limit 1), t.status) as status
    union all
    select m.created_at, case when m.sent_by_admin then 'answer' else 'question' end, 1, m.id, null
      from ticket_messages m where m.ticket_id = t.id and reaches_requester(m)
    union all
    select c.changed_at, 'status', 2, c.id, c.to_status from ticket_status_changes c where c.ticket_id = t.id
    order by at, turn, id
  loop
    if event.what = 'question' and not is_awaited then
      is_awaited := true;
      response := null;
      select * into response from start_ticket_clock(t, case when was_answered then 'next_response' else 'first_response' end, event.at, settings.since);
    elsif event.what = 'answer' then
      if is_awaited and response.ticket_id is not null then
        kept := kept || (response.kind || response.started_at::text);
        update ticket_clocks c set due_at = null, remind_at = null, ended_at = event.at, seconds_left = c.minutes * 60
            - (worked_until(event.at, c.in_working_hours) - worked_until(c.started_at, c.in_working_hours))
          where c.ticket_id = t.id and c.kind = response.kind and c.started_at = response.started_at;
      end if;
      was_answered := true;
      is_awaited := false;
    elsif event.what = 'status' then
      -- Stop the clock of the solution, and go on below if the ticket is still being worked on.
      if runs_since is not null then
        used := used + worked_until(event.at, solving.in_working_hours) - worked_until(runs_since, solving.in_working_hours);
        runs_since := null;
      end if;
      if event.status in (4, 5) then
        if is_solving and solving.ticket_id is not null then
          kept := kept || (solving.kind || solving.started_at::text);
          update ticket_clocks c set due_at = null, remind_at = null, ended_at = event.at, seconds_left = c.minutes * 60 - used
            where c.ticket_id = t.id and c.kind = solving.kind and c.started_at = solving.started_at;
        end if;
        is_solving := false;
        -- Nobody waits for an answer to a ticket that is solved.
        is_awaited := false;
      else
        if not is_solving then
          is_solving := true;
          used := 0;
          solving := null;
          select * into solving from start_ticket_clock(t, 'resolution', event.at, settings.since);
        end if;
        if event.status <> 3 or not settings.pauses_while_waiting then runs_since := event.at; end if;
      end if;
    end if;
  end loop;
  if is_awaited and response.ticket_id is not null then
    kept := kept || (response.kind || response.started_at::text);
    update ticket_clocks c set ended_at = null, seconds_left = null,
        due_at = instant_worked(worked_until(c.started_at, c.in_working_hours) + c.minutes * 60, c.in_working_hours),
        remind_at = case when not c.is_reminded then
          instant_worked(worked_until(c.started_at, c.in_working_hours) + c.minutes * 60 * settings.reminder_percent / 100, c.in_working_hours) end
      where c.ticket_id = t.id and c.kind = response.kind and c.started_at = response.started_at;
  end if;
  if is_solving and solving.ticket_id is not null then
    kept := kept || (solving.kind || solving.started_at::text);
    update ticket_clocks c set ended_at = null,
        seconds_left = case when runs_since is null then c.minutes * 60 - used end,
        due_at = case when runs_since is not null then
          instant_worked(worked_until(runs_since, c.in_working_hours) + c.minutes * 60 - used, c.in_working_hours) end,
        remind_at = case when runs_since is not null and not c.is_reminded then
          instant_worked(worked_until(runs_since, c.in_working_hours) + c.minutes * 60 * settings.reminder_percent / 100 - used, c.in_working_hours) end
      where c.ticket_id = t.id and c.kind = solving.kind and c.started_at = solving.started_at;
  end if;
  delete from ticket_clocks c where c.ticket_id = t.id and c.kind || c.started_at::text <> all (kept);
end $$;

create function note_failed_answer() returns trigger language plpgsql as $$
begin
  perform refresh_first_answer(m.ticket_id), refresh_ticket_clocks(m.ticket_id)
    from ticket_messages m where m.mail_id = new.mail_id and m.sent_by_admin;
  return null;
end $$;
create trigger mail_recipients_failed after update of state on mail_recipients
  for each row when (not new.is_cc and (old.state = 'failed') <> (new.state = 'failed'))
  execute function note_failed_answer();

-- Answers that failed before.
do $$
begin
  perform refresh_first_answer(f.ticket_id), refresh_ticket_clocks(f.ticket_id)
    from (select distinct m.ticket_id from mail_recipients r join ticket_messages m on m.mail_id = r.mail_id
      where r.state = 'failed' and not r.is_cc and m.sent_by_admin) f;
end $$;
