-- Mails of any record, to one or to thousands: what they answer, what is attached, who wants no more of them.

alter table mails
  add column record_type text check (record_type <> ''),
  add column record_id integer,
  add column product_id integer references products,
  add column in_reply_to text,
  add column "references" text,
  -- Random; stands in the Message-ID, so that an answer names it. Several mails may share one.
  add column reply_token text not null default replace(gen_random_uuid()::text, '-', '') check (reply_token ~ '^[a-z0-9]{16,64}$'),
  -- Leaves in batches, behind the mails to single people.
  add column bulk boolean not null default false,
  add column unsubscribable boolean not null default false,
  -- The chain of batches that goes on with it; an older one ends.
  add column run integer not null default 0,
  add column stopped_at timestamptz,
  add column called_off_at timestamptz;
update mails m set record_type = 'lead', record_id = m.lead_id, product_id = l.lead_for from leads l where l.lead_id = m.lead_id;
drop index mails_of_lead;
alter table mails
  drop column lead_id,
  add check ((record_type is null) = (record_id is null)),
  add check (called_off_at is null or stopped_at is not null);
create index mails_of_record on mails (record_type, record_id, id desc) where record_type is not null;
create index mails_by_reply_token on mails (reply_token);
create index mails_by_product on mails (product_id, id desc);

alter table mail_recipients
  -- Named in the link that unsubscribes.
  add column id bigint generated always as identity,
  -- What stands for {{name}}; null: the text has no such place.
  add column name text,
  drop constraint mail_recipients_state_check,
  add check (state in ('held', 'waiting', 'sending', 'sent', 'failed', 'stopped'));
create unique index mail_recipients_by_id on mail_recipients (id);
drop index mail_recipients_to_do;
create index mail_recipients_to_do on mail_recipients (mail_id, next_try_at) where state in ('held', 'waiting', 'sending');
create index mail_recipients_of_address on mail_recipients (address) where state in ('held', 'waiting');

create table mail_attachments (
  mail_id integer not null references mails on delete cascade,
  position smallint not null,
  name text not null check (name <> '' and name !~ '[\r\n]'),
  mime text not null check (mime ~ '^[\w.+-]+/[\w.+-]+$'),
  -- Its name among the files.
  stored text not null,
  primary key (mail_id, position)
);

create table mail_unsubscribed (
  address citext primary key check (address like '%_@_%'),
  at timestamptz not null default now()
);

-- What signs the links that unsubscribe; there is one.
create table mail_keys (
  one boolean primary key default true check (one),
  key bytea not null
);
