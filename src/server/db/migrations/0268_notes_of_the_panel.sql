-- Notes that the panel writes, such as the message of a web form, have no author.
alter table notes alter column staff_id drop not null;
