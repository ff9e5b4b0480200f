-- Service targets: how soon tickets are answered and solved, in working time.

-- No row until targets are set for the first time, at `since`: tickets have no clocks that start before.
create table service_settings (
  id integer primary key default 1 check (id = 1),
  since timestamptz not null,
  pauses_while_waiting boolean not null,
  -- The assignee gets a notice when so much of the time is used.
  reminder_percent smallint check (reminder_percent between 1 and 99),
  -- Time zone of the working hours, Monday to Sunday with null for days off, and days without work.
  zone text not null,
  days jsonb not null,
  holidays jsonb not null,
  version integer not null default 1
);

-- The first target that fits a ticket applies; `position` is their order. Times are in minutes.
create table service_targets (
  position integer primary key,
  priority smallint check (priority between 1 and 4),
  category integer references ticket_categories,
  organization_id integer references organizations on delete cascade,
  first_response integer check (first_response > 0),
  next_response integer check (next_response > 0),
  resolution integer check (resolution > 0),
  in_working_hours boolean not null
);
create index service_targets_of_organization on service_targets (organization_id);
create index service_targets_of_category on service_targets (category);

-- The desk's working time, as the panel writes it from the settings. `seconds_before` is the length of all periods before.
create table working_periods (
  starts_at timestamptz primary key,
  ends_at timestamptz not null check (ends_at > starts_at),
  seconds_before bigint not null unique
);

-- A clock of a ticket. Its target is copied when it starts, so that later settings apply to later clocks only.
create table ticket_clocks (
  ticket_id integer not null references tickets on delete cascade,
  kind text not null check (kind in ('first_response', 'next_response', 'resolution')),
  started_at timestamptz not null,
  -- Null if there was no target for it.
  minutes integer check (minutes > 0),
  in_working_hours boolean not null,
  -- While it runs.
  due_at timestamptz,
  -- While it is paused, and when it ended; negative if the target was missed.
  seconds_left integer,
  ended_at timestamptz,
  -- Until the notice is sent.
  remind_at timestamptz,
  is_reminded boolean not null default false,
  primary key (ticket_id, kind, started_at)
);
create index ticket_clocks_to_remind on ticket_clocks (remind_at) where remind_at is not null;
create index ticket_clocks_due on ticket_clocks (due_at) where ended_at is null and due_at is not null;

-- Returns the seconds of working time, or of all time, up to an instant.
create function worked_until(at timestamptz, in_working_hours boolean) returns bigint language sql stable as $$
  select case when in_working_hours then coalesce((
    select p.seconds_before + extract(epoch from least(at, p.ends_at) - p.starts_at)::bigint
    from working_periods p where p.starts_at <= at order by p.starts_at desc limit 1), 0)
  else extract(epoch from at)::bigint end
$$;

-- Returns the instant up to which there are so many seconds of working time, or of all time; null if there never are.
create function instant_worked(seconds bigint, in_working_hours boolean) returns timestamptz language sql stable as $$
  select case when in_working_hours then (
    select p.starts_at + make_interval(secs => seconds - p.seconds_before)
    from working_periods p where p.seconds_before < seconds order by p.seconds_before desc limit 1)
  else to_timestamp(seconds) end
$$;

-- Starts a clock of a ticket, unless it had started before, and returns it; nothing if it starts before there were targets.
create function start_ticket_clock(t tickets, of_kind text, at timestamptz, since timestamptz)
returns setof ticket_clocks language plpgsql as $$
begin
  insert into ticket_clocks (ticket_id, kind, started_at, minutes, in_working_hours)
    select t.id, of_kind, at,
      case of_kind when 'first_response' then s.first_response when 'next_response' then s.next_response else s.resolution end,
      coalesce(s.in_working_hours, false)
    from (select) one left join lateral (select s.* from service_targets s
      where coalesce(s.priority, t.priority) = t.priority and coalesce(s.category, t.category) = t.category
        and (s.organization_id is null or s.organization_id = t.organization_id)
      order by s.position limit 1) s on true
    where at >= since
    on conflict do nothing;
  return query select c.* from ticket_clocks c where c.ticket_id = t.id and c.kind = of_kind and c.started_at = at;
end $$;

-- Computes the clocks of a ticket from its messages and status changes.
create function refresh_ticket_clocks(of_ticket integer) returns void language plpgsql as $$
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
      from ticket_messages m where m.ticket_id = t.id
        and not exists (select from mails off where off.id = m.mail_id and off.called_off_at is not null)
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

create function note_message_on_clocks() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then perform refresh_ticket_clocks(old.ticket_id); end if;
  if tg_op <> 'DELETE' then perform refresh_ticket_clocks(new.ticket_id); end if;
  return null;
end $$;
create trigger ticket_messages_clocks after insert or delete on ticket_messages
  for each row execute function note_message_on_clocks();
create trigger ticket_messages_moved_clocks after update of ticket_id on ticket_messages
  for each row when (old.ticket_id <> new.ticket_id) execute function note_message_on_clocks();
create trigger ticket_status_changes_clocks after insert on ticket_status_changes
  for each row execute function note_message_on_clocks();

-- An undone reply was never an answer.
create function note_undone_answer() returns trigger language plpgsql as $$
begin
  perform refresh_ticket_clocks(m.ticket_id) from ticket_messages m where m.mail_id = new.id;
  return null;
end $$;
create trigger mails_called_off_clocks after update of called_off_at on mails
  for each row when (old.called_off_at is distinct from new.called_off_at) execute function note_undone_answer();

-- Another priority, category, or organization has another target, which its running clocks get.
create function note_ticket_on_clocks() returns trigger language plpgsql as $$
begin
  delete from ticket_clocks where ticket_id = new.id and ended_at is null;
  perform refresh_ticket_clocks(new.id);
  return null;
end $$;
create trigger tickets_target_changed after update of priority, category, organization_id, merged_into on tickets
  for each row when ((old.priority, old.category, old.organization_id, old.merged_into)
    is distinct from (new.priority, new.category, new.organization_id, new.merged_into))
  execute function note_ticket_on_clocks();

alter table notices drop constraint notices_kind_check;
alter table notices add constraint notices_kind_check
  check (kind in ('mention', 'email_failed', 'email_received', 'assigned', 'followed', 'snooze_ended', 'target_due'));
