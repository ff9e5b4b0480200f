-- Mentions are the first kind of notice: what someone did that concerns an admin user, in one list per user.
alter table mentions rename to notices;
alter index mentions_of_staff rename to notices_of_staff;
drop index mentions_unread;
create index notices_unread on notices (staff_id, id desc) where read_at is null;
alter table notices
  add column kind text not null default 'mention' check (kind in ('mention')),
  -- ID of the element on the record's page, such as note-12; empty for the record as a whole.
  add column anchor text not null default '' check (char_length(anchor) <= 60),
  add check (char_length(title) <= 300) not valid,
  add check (char_length(words) <= 500) not valid;
alter table notices alter column kind drop default;
-- One entry concerns a user once.
create unique index notices_of_entry on notices (staff_id, kind, record_type, record_id, anchor) where anchor <> '';

-- Records about which a user wants no more notices.
create table muted_records (
  staff_id integer not null references staff on delete cascade,
  record_type text not null,
  record_id integer not null,
  created_at timestamptz not null default now(),
  primary key (staff_id, record_type, record_id)
);
