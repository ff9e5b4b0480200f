-- Days on which somebody was away, so that no hours are missed, and who was reminded of missing hours.
create table staff_away (
  staff_id integer not null references staff on delete cascade,
  day date not null,
  marked_by integer not null references staff,
  marked_at timestamptz not null default now(),
  primary key (staff_id, day)
);
create table progress_reminders (
  staff_id integer not null references staff on delete cascade,
  day date not null,
  reminded_by integer not null references staff,
  reminded_at timestamptz not null default now(),
  primary key (staff_id, day)
);
