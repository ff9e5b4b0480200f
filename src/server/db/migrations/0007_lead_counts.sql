-- How many leads a product has of each day, those in the trash left out, so that a list counts its leads without reading them.
-- A row is a difference: who enters a lead waits for nobody, and the sum is right within every transaction.
-- Only the triggers write here; a job adds up what became many rows (lead-counts.ts).
create table lead_counts (
  lead_for smallint not null,
  lead_date date not null,
  change integer not null
);
create index lead_counts_by_day on lead_counts (lead_for, lead_date) include (change);

create function count_entered_leads() returns trigger language plpgsql as $$
begin
  insert into lead_counts select lead_for, lead_date, count(*) from entered where deleted_at is null group by lead_for, lead_date;
  return null;
end
$$;
create trigger leads_entered after insert on leads referencing new table as entered for each statement execute function count_entered_leads();

create function count_gone_leads() returns trigger language plpgsql as $$
begin
  insert into lead_counts select lead_for, lead_date, -count(*) from gone where deleted_at is null group by lead_for, lead_date;
  return null;
end
$$;
create trigger leads_gone after delete on leads referencing old table as gone for each statement execute function count_gone_leads();

create function count_moved_lead() returns trigger language plpgsql as $$
begin
  if old.deleted_at is null then
    insert into lead_counts values (old.lead_for, old.lead_date, -1);
  end if;
  if new.deleted_at is null then
    insert into lead_counts values (new.lead_for, new.lead_date, 1);
  end if;
  return null;
end
$$;
create trigger leads_moved after update of lead_for, lead_date, deleted_at on leads for each row
when ((old.lead_for, old.lead_date, old.deleted_at is null) is distinct from (new.lead_for, new.lead_date, new.deleted_at is null))
execute function count_moved_lead();

insert into lead_counts select lead_for, lead_date, count(*) from leads where deleted_at is null group by lead_for, lead_date;
