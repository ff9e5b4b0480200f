-- What canceling a reply's email restores: the operation that changed the ticket along with the reply, or, if
-- the email resends the reply, the email that sent it before.
alter table ticket_messages
  add column operation_id integer references operations on delete set null,
  add column resends_mail_id integer references mails on delete set null;
