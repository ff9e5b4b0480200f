-- Emails that the panel sends as an answer without a person, so that other machines don't answer them (RFC 3834).
alter table mails add column is_automatic boolean not null default false;

-- How many of them an address got lately.
create index mails_automatic on mails (kind, created_at) where is_automatic;
