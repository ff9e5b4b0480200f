-- Emails from one person to a few others: everyone sees who gets them, and the sender's name is shown.

alter table mails
  -- Shown with the address from MAIL_FROM. Empty for emails that the panel sends itself.
  add column sender_name text not null default '' check (char_length(sender_name) <= 200 and sender_name !~ '[\r\n]'),
  -- Whether every recipient sees all the others.
  add column is_open boolean not null default false;

alter table mail_recipients
  add column is_cc boolean not null default false;
