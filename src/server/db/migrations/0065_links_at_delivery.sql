-- Links that set a password are made when their email leaves: until then the email holds {{link}}, and the row that belongs
-- to it says whether the link may still be made.
alter table staff_invitations add column mail_id integer references mails on delete set null;
create index staff_invitations_of_mail on staff_invitations (mail_id);

-- Links that are stored in the clear are removed; those of emails that have not left are made again when they leave.
update staff_invitations i set mail_id = m.id from mails m
where m.record_type = 'invitation'
  and i.token_hash = sha256(convert_to(substring(m.text from 'invitation=([A-Za-z0-9_-]{43})'), 'UTF8'));
update mails set
  text = regexp_replace(text, 'https?://[^\s"<>]*/login\?invitation=[A-Za-z0-9_-]{43}', '{{link}}', 'g'),
  html = regexp_replace(html, 'https?://[^\s"<>]*/login\?invitation=[A-Za-z0-9_-]{43}', '{{link}}', 'g')
where record_type = 'invitation';
update idempotency_keys set reply = regexp_replace(reply, '"link":"[^"]*"', '"link":null')
where reply like '%/login?invitation=%';
