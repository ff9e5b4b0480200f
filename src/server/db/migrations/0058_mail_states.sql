-- A canceled email and a recipient who unsubscribed have states of their own; 'stopped' is an email that can be resumed.
alter table mail_recipients drop constraint mail_recipients_state_check;
update mail_recipients r set state = 'canceled' from mails m where m.id = r.mail_id and m.called_off_at is not null and r.state = 'stopped';
update mail_recipients set state = 'unsubscribed', last_error = null where state = 'stopped' and last_error = 'They have unsubscribed.';
alter table mail_recipients add constraint mail_recipients_state_check
  check (state in ('held', 'waiting', 'sending', 'sent', 'failed', 'stopped', 'canceled', 'unsubscribed'));
