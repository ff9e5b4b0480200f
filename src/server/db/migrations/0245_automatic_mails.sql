-- Emails that the panel sends as an answer without a person, so that other machines don't answer them (RFC 3834).
alter table mails add column is_automatic boolean not null default false;

-- How many of them an address got lately.
create index mails_automatic on mails (kind, created_at) where is_automatic;

alter table panel_settings drop constraint panel_settings_name_check;
alter table panel_settings add constraint panel_settings_name_check
  check (name in ('trial_days', 'reminder_days', 'working_hours', 'copyright', 'mail', 'reply_assigns', 'confirms_tickets', 'asks_rating'));
