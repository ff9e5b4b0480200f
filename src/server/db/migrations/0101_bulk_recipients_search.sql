-- Indexing the words of ten thousand recipients makes a bulk email slow to send. The recipients of bulk emails are
-- found by their whole address; those of other emails by any part of it, or by their name.

alter table mail_recipients alter column search drop expression;
alter table mail_recipients alter column search set default '';
create index mail_recipients_by_address on mail_recipients (address);
