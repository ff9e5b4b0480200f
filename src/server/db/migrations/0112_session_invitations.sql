alter table mails
  -- A calendar file for email clients, as an alternative to the text; its method is REQUEST or CANCEL.
  add calendar text check (char_length(calendar) <= 20000 and calendar ~ 'METHOD:(REQUEST|CANCEL)');

-- What the contact’s calendar has of a session. Each email about it has a higher sequence than the one before.
create table session_invitations (
  demo_id integer primary key references lead_demos on delete cascade,
  uid text not null unique,
  sequence integer not null default 0,
  address citext not null,
  type text not null,
  -- Null once it is canceled.
  at timestamptz
);
