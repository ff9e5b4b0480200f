-- Searches ignore invisible characters as well, which get into a value when it is copied: zero-width spaces and
-- joiners, direction marks, the byte order mark, and soft hyphens (src/shared/invisible.ts).
create or replace function search_text(value text) returns text language sql immutable strict parallel safe
  return lower(unaccent('unaccent', translate(
    normalize(value, nfc),
    U&'\00AD\200B\200C\200D\200E\200F\202A\202B\202C\202D\202E\2060\2061\2062\2063\2064\2065\2066\2067\2068\2069\FEFF',
    ''
  )));

-- Computes the stored texts that have such characters again. The audit log is never changed.
do $$
declare
  one record;
begin
  for one in
    select * from (values ('organizations', 'name'), ('customer_contracts', 'title'), ('articles', 'title'),
      ('article_categories', 'title'), ('post_tags', 'name'), ('post_comments', 'body'), ('tasks', 'title'),
      ('quick_tasks', 'title'), ('faqs', 'title'), ('tickets', 'title'), ('notifications', 'subject'),
      ('mails', 'subject'), ('mail_recipients', 'name'), ('received_mails', 'subject')) as tables (name, column_name)
  loop
    execute format(
      'update %I set %I = %I where search ~ %L',
      one.name, one.column_name, one.column_name, '[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]'
    );
  end loop;
end
$$;
update onboardings set search = '' where search ~ '[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]';

-- In +49 (0)30 901820 the zero in parentheses is dialed only within the country: it is no digit of the number.
create function phone_digits(phone text) returns text language sql immutable strict parallel safe
  return regexp_replace(replace(phone, '(0)', ''), '[^0-9]', '', 'g');

alter table leads drop column search;
alter table leads add search text not null generated always as (
  left(
    search_text(
      company_name || ' ' || contact_name || ' ' || email || ' ' || phone || ' ' || country || ' ' || coalesce(reference, '')
        || case when phone ~ '[^0-9]' then ' ' || phone_digits(phone) else '' end
        || case when details = '[]' then '' else ' ' || jsonb_path_query_array(details, '$[*].value')::text end
    ),
    640
  )
) stored;
drop index if exists leads_by_day;
create index leads_by_day on leads (lead_for, lead_date desc, lead_id desc) include (search) where deleted_at is null;
create index leads_search on leads using gin (search gin_trgm_ops) where deleted_at is null;

alter table customer_users drop column search;
alter table customer_users add search text generated always as (
  left(
    search_text(
      first_name || ' ' || last_name || ' ' || coalesce(email::text, '') || ' ' || phone
        || case when phone ~ '[^0-9]' then ' ' || phone_digits(phone) else '' end
    ),
    640
  )
) stored;
create index customer_users_by_name on customer_users (search, id) where deleted_at is null;
create index customer_users_search on customer_users using gin (search gin_trgm_ops) where deleted_at is null;
