-- The sender that customers see: one per product, and one for emails that belong to no product.
create table senders (
  id integer primary key generated always as identity,
  product_id integer unique nulls not distinct references products,
  name text not null default '' check (char_length(name) <= 60 and name !~ '[[:cntrl:]]'),
  -- Empty: the address of MAIL_FROM.
  address citext not null default '' check (address = '' or (char_length(address) <= 254 and address ~ '^[^\s<>@,;"]+@[^\s<>@,;"]+$')),
  color text not null default '#0f766e' check (color ~ '^#[0-9a-f]{6}$'),
  signature text not null default '' check (char_length(signature) <= 1000),
  footer text not null default '' check (char_length(footer) <= 500),
  version integer not null default 1,
  updated_by integer references staff,
  updated_at timestamptz not null default now()
);

-- An admin user's own address, from which they send once they have confirmed it with the link emailed to it.
create table own_addresses (
  staff_id integer primary key references staff on delete cascade,
  address citext not null check (char_length(address) <= 254 and address ~ '^[^\s<>@,;"]+@[^\s<>@,;"]+$'),
  token_hash bytea unique,
  expires_at timestamptz,
  confirmed_at timestamptz,
  check ((token_hash is null) = (expires_at is null)),
  check (confirmed_at is not null or token_hash is not null)
);

alter table mails
  -- Empty: the address of MAIL_FROM when the email is sent.
  add sender_address text not null default '' check (char_length(sender_address) <= 254 and sender_address !~ '[[:cntrl:]<>]');

alter table panel_settings
  drop constraint panel_settings_name_check,
  add constraint panel_settings_name_check check (name in ('trial_days', 'reminder_days', 'working_hours', 'copyright', 'mail'));

-- The unsubscribe link is part of the text now, instead of being added while an email is sent.
update mails m set text = text || E'\n\nUnsubscribe: {{unsubscribe}}\n',
  html = regexp_replace(html, '(</body>|$)', '<p><a href="{{unsubscribe}}">Unsubscribe</a></p>\1')
  where unsubscribable and exists (select from mail_recipients r where r.mail_id = m.id and r.state in ('held', 'waiting', 'stopped', 'sending'));
