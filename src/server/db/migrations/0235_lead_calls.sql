-- Calls with leads. The calls of a merged lead stay with it, like its notes, and are shown by the one that was kept.
create table lead_calls (
  id integer generated always as identity primary key,
  lead_id integer not null references leads on delete cascade,
  called_at timestamptz not null default now(),
  called_by integer not null references staff,
  -- Who called whom: `out` is a call to the lead.
  direction text not null default 'out' check (direction in ('out', 'in')),
  -- 1 reached, 2 no answer, 3 left voicemail, 4 wrong number.
  outcome smallint not null check (outcome between 1 and 4),
  minutes smallint check (minutes between 0 and 600),
  note text not null default '' check (char_length(note) <= 10000),
  -- The follow-up date that was set together with the call.
  followup_date date
);
create index lead_calls_of_lead on lead_calls (lead_id, id desc);
