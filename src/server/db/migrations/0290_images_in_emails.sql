-- The Content-ID of an attached image that the text of its email shows; null for other attachments.
alter table mail_attachments add content_id text check (content_id ~ '^[\w.@-]{1,200}$');
