-- A search for leads finds them by their other contacts too. A trigger keeps the names, addresses, and numbers of these in
-- the lead, so that one index has all that a search looks through and the words of a search can be of different people.
-- long lock: the new search columns write all leads again; with 200,000 of them it takes about half a minute.
create function lead_contact_texts(lead integer) returns text language sql stable
  return (select coalesce(string_agg(
    concat_ws(' ', name, email, phone, case when phone ~ '[^0-9]' then phone_digits(phone) end), ' ' order by id
  ), '') from lead_contacts where lead_id = lead);

alter table leads add contacts text not null default '';
update leads set contacts = lead_contact_texts(lead_id) where lead_id in (select lead_id from lead_contacts);

create function note_lead_contacts(leads_of_contacts integer[]) returns void language sql as $$
  update leads l set contacts = known.texts
  from (select id, lead_contact_texts(id) as texts from (select distinct id from unnest(leads_of_contacts) as given (id)) one) known
  where l.lead_id = known.id and l.contacts <> known.texts;
$$;
create function note_added_contacts() returns trigger language plpgsql as $$
begin
  perform note_lead_contacts(array(select lead_id from added));
  return null;
end
$$;
create function note_removed_contacts() returns trigger language plpgsql as $$
begin
  perform note_lead_contacts(array(select lead_id from removed));
  return null;
end
$$;
create function note_changed_contacts() returns trigger language plpgsql as $$
begin
  perform note_lead_contacts(array(select lead_id from added union all select lead_id from removed));
  return null;
end
$$;
create trigger lead_contacts_added after insert on lead_contacts referencing new table as added
  for each statement execute function note_added_contacts();
create trigger lead_contacts_removed after delete on lead_contacts referencing old table as removed
  for each statement execute function note_removed_contacts();
create trigger lead_contacts_changed after update on lead_contacts referencing old table as removed new table as added
  for each statement execute function note_changed_contacts();

alter table leads drop column search;
alter table leads
  add search text not null generated always as (
    left(
      search_text(
        company_name || ' ' || contact_name || ' ' || email || ' ' || phone || ' ' || country || ' ' || coalesce(reference, '')
          || case when phone ~ '[^0-9]' then ' ' || phone_digits(phone) else '' end
          || case when contacts = '' then '' else ' ' || contacts end
          || case when details = '[]' then '' else ' ' || jsonb_path_query_array(details, '$[*].value')::text end
      ),
      640
    )
  ) stored,
  -- An entry of leads_by_day holds 640 characters; this is the text of contacts that may be beyond these.
  add contacts_search text generated always as (
    case
      when contacts <> '' and char_length(company_name) + char_length(contact_name) + char_length(email) + 2 * char_length(phone)
        + char_length(country) + char_length(coalesce(reference, '')) + char_length(contacts) > 560 then search_text(contacts)
    end
  ) stored,
  -- Which fields have a value, a bit each (src/features/crm/leads/empty-filters.rules.ts), so that leads without one are
  -- counted by the index alone.
  add filled integer not null generated always as (
    (contact_name <> '')::integer
      | ((email <> '')::integer << 1)
      | ((phone <> '')::integer << 2)
      | ((country <> '')::integer << 3)
      | ((company_url <> '')::integer << 4)
      | ((assign_to is not null)::integer << 5)
      | ((followup_date is not null)::integer << 6)
      | ((request_date is not null)::integer << 7)
      | ((implement_date is not null)::integer << 8)
      | ((amount is not null)::integer << 9)
      | ((expected_close is not null)::integer << 10)
      | ((services is not null)::integer << 11)
      | ((hear_about is not null)::integer << 12)
      | ((reference is not null)::integer << 13)
      | ((additional_info <> '')::integer << 14)
      | ((cog_types <> '{}')::integer << 15)
      | ((contacts <> '')::integer << 16)
      | ((details <> '[]')::integer << 17)
  ) stored;
drop index if exists leads_by_day;
create index leads_by_day on leads (lead_for, lead_date desc, lead_id desc) include (search, filled) where deleted_at is null;
create index leads_search on leads using gin (search gin_trgm_ops) where deleted_at is null;
create index leads_search_of_contacts on leads using gin (contacts_search gin_trgm_ops)
  where contacts_search is not null and deleted_at is null;
