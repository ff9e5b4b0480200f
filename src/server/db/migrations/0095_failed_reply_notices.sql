-- A notice can also say that an email of its reader wasn't delivered; such a notice is by its reader.
alter table notices drop constraint notices_kind_check;
alter table notices add check (kind in ('mention', 'email_failed'));
