-- Every search compares text without case and accents, so that "cote" finds "Côté" and "Muller" finds "Müller".
create extension if not exists unaccent;

-- Declared immutable, unlike unaccent itself, because indexes require it; its rules do not change.
create function search_text(value text) returns text language sql immutable strict parallel safe
  return lower(unaccent('unaccent', normalize(value, nfc)));
-- The LIKE pattern for a word anywhere in a search text, with the word's own wildcards escaped.
create function search_pattern(word text) returns text language sql immutable strict parallel safe
  return '%' || regexp_replace(search_text(word), '([\\%_])', '\\\1', 'g') || '%';

-- A lead's text stays within the 640 characters of 0008.
alter table leads drop column search;
alter table leads add search text not null generated always as (
  left(
    search_text(
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

alter table customer_contracts drop column search;
alter table customer_contracts add search text generated always as (search_text(title)) stored;
create index customer_contracts_by_title on customer_contracts (search, id) where deleted_at is null;
create index customer_contracts_search on customer_contracts using gin (search gin_trgm_ops) where deleted_at is null;

alter table organizations drop column search;
alter table organizations add search text generated always as (search_text(name)) stored;
create index organizations_by_search on organizations (search, organization_id) where deleted_at is null;
create index organizations_search on organizations using gin (search gin_trgm_ops) where deleted_at is null;

-- A user is found by words of the name, the email, and the phone number, in one text, which begins with the name to sort by it.
drop index customer_users_search_email;
alter table customer_users drop column search, drop column phone_digits;
alter table customer_users add search text generated always as (
  left(
    search_text(
      first_name || ' ' || last_name || ' ' || coalesce(email::text, '') || ' ' || phone
        || case when phone ~ '[^0-9]' then ' ' || regexp_replace(phone, '[^0-9]', '', 'g') else '' end
    ),
    640
  )
) stored;
create index customer_users_by_name on customer_users (search, id) where deleted_at is null;
create index customer_users_search on customer_users using gin (search gin_trgm_ops) where deleted_at is null;

create or replace function onboarding_search(organization integer, lead integer) returns text stable language sql as $$
  select search_text(
    (select o.name from organizations o where o.organization_id = organization) || ' '
      || (select l.company_name from leads l where l.lead_id = lead)
  )
$$;
update onboardings set search = '';

alter table article_categories drop column search;
alter table article_categories add search text generated always as (search_text(title)) stored;
create index article_categories_by_title on article_categories (kind, product_id, search, id) where deleted_at is null;
create index article_categories_search on article_categories using gin (search gin_trgm_ops) where deleted_at is null;

alter table articles drop column search;
alter table articles add search text generated always as (search_text(title)) stored;
create index articles_by_title on articles (kind, product_id, search, id) where deleted_at is null;
create index articles_search on articles using gin (search gin_trgm_ops) where deleted_at is null;

-- Two tags may differ in an accent only.
alter table post_tags drop column search;
alter table post_tags add search text generated always as (search_text(name)) stored;
create unique index post_tags_name on post_tags (lower(name)) where deleted_at is null;
create index post_tags_search on post_tags using gin (search gin_trgm_ops) where deleted_at is null;

alter table post_comments drop column search;
alter table post_comments add search text generated always as (search_text(sender_name || ' ' || body)) stored;
create index post_comments_search on post_comments using gin (search gin_trgm_ops) where deleted_at is null;

alter table tasks drop column search;
alter table tasks add search text generated always as (search_text(title)) stored;
create index tasks_by_title on tasks (discipline, product_id, search, id) where deleted_at is null;
create index tasks_search on tasks using gin (search gin_trgm_ops) where deleted_at is null;

alter table quick_tasks drop column search;
alter table quick_tasks add search text generated always as (search_text(title || ' ' || text)) stored;
create index quick_tasks_search on quick_tasks using gin (search gin_trgm_ops) where deleted_at is null;

alter table faqs drop column search;
alter table faqs add search text generated always as (search_text(title)) stored;
create index faqs_search on faqs using gin (search gin_trgm_ops) where deleted_at is null;

alter table tickets drop column search;
alter table tickets add search text generated always as (search_text(title)) stored;
create index tickets_by_title on tickets (search, id) where deleted_at is null;
create index tickets_search on tickets using gin (search gin_trgm_ops) where deleted_at is null;

alter table notifications drop column search;
alter table notifications add search text generated always as (search_text(subject)) stored;
create index notifications_search on notifications using gin (search gin_trgm_ops) where deleted_at is null;
