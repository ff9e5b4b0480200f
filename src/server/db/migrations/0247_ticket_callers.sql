-- A ticket that was written down for a caller without an account has their phone number, and is found by it.
alter table tickets add sender_phone text not null default '' check (char_length(sender_phone) <= 60);
alter table tickets drop column sender_search;
alter table tickets add sender_search text not null generated always as (
  search_text(sender_name || ' ' || coalesce(sender_email::text, '')
    || case when sender_phone = '' then '' else ' ' || sender_phone end
    || case when sender_phone ~ '[^0-9]' then ' ' || phone_digits(sender_phone) else '' end)
) stored;
create index tickets_sender_search on tickets using gin (sender_search gin_trgm_ops) where deleted_at is null;
