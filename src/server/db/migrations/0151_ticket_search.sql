-- Tickets are also found by what is written in them, by the beginnings of words: the text of a message without tags.
create function text_words(html text) returns tsvector language sql immutable parallel safe
  return to_tsvector('simple', search_text(left(regexp_replace(html, '<[^>]*>', ' ', 'g'), 20000)));
alter table ticket_messages add words tsvector not null generated always as (text_words(message)) stored;
create index ticket_messages_words on ticket_messages using gin (words) with (fastupdate = off);
alter table ticket_comments add words tsvector not null generated always as (text_words(support_comment)) stored;
create index ticket_comments_words on ticket_comments using gin (words);
-- And by their sender, if the sender has no account.
alter table tickets add sender_search text not null generated always as (
  search_text(sender_name || ' ' || coalesce(sender_email::text, ''))
) stored;
create index tickets_sender_search on tickets using gin (sender_search gin_trgm_ops) where deleted_at is null;
create index files_name_search on files using gin (search_text(name) gin_trgm_ops);
