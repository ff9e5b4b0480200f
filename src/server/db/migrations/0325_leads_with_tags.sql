-- Whether a lead has tags, in the index of days, so that leads without tags are found and counted without looking up the
-- tags of each lead; and the other columns that filters read most often, so that several filters together need no rows.
-- long lock: leads that have tags are written once, and leads can't be written while their index is built; with a million
-- leads, it took about half a minute.
alter table leads add has_tags boolean not null default false;
lock table lead_tag_links in share row exclusive mode;
update leads set has_tags = true where lead_id in (select lead_id from lead_tag_links);

-- A lead is locked first, so that one of two changes at the same time sees the other.
create function note_lead_tags() returns trigger language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  moved integer[] := array(select distinct lead_id from written);
begin
  perform from unnest(moved) as wanted (lead_id) join leads using (lead_id) order by lead_id for no key update of leads;
  update leads l set has_tags = not has_tags from unnest(moved) as wanted (id)
    where l.lead_id = wanted.id and has_tags <> exists (select from lead_tag_links t where t.lead_id = l.lead_id);
  return null;
end
$$;
create trigger lead_tag_links_added after insert on lead_tag_links referencing new table as written
  for each statement execute function note_lead_tags();
create trigger lead_tag_links_removed after delete on lead_tag_links referencing old table as written
  for each statement execute function note_lead_tags();

drop index leads_by_day_of_all;
create index leads_by_day_of_all on leads (lead_date desc, lead_id desc)
  include (lead_for, status, filled, has_tags, color, lead_type, demo_status, assign_to) where deleted_at is null;
