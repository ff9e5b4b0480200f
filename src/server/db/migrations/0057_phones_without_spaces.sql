-- A lead's phone number is found however it is typed: its digits stand beside it, within the 640 characters of 0008.
alter table leads drop column search;
alter table leads add search text not null generated always as (
  left(
    lower(
      company_name || ' ' || contact_name || ' ' || email || ' ' || phone || ' ' || country || ' ' || coalesce(reference, '')
        || case when phone ~ '[^0-9]' then ' ' || regexp_replace(phone, '[^0-9]', '', 'g') else '' end
        || case when details = '[]' then '' else ' ' || jsonb_path_query_array(details, '$[*].value')::text end
    ),
    640
  )
) stored;
drop index if exists leads_by_day;
create index leads_by_day on leads (lead_for, lead_date desc, lead_id desc) include (search) where deleted_at is null;
create index leads_search on leads using gin (search gin_trgm_ops) where deleted_at is null;
