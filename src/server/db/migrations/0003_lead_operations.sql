-- What was done to many leads at once, or to one in a way that must be taken back as a whole.
create table operations (
  id integer generated always as identity primary key,
  kind text not null check (kind in ('status', 'color', 'assign', 'tags', 'reject', 'import', 'merge', 'delete')),
  staff_id integer not null references staff,
  at timestamptz not null default now(),
  summary text not null check (summary <> ''),
  -- The right that the act needed; who takes it back needs it too.
  needs text not null,
  state text not null default 'done' check (state in ('running', 'done', 'failed', 'undoing', 'undone')),
  -- The leads of an act that goes on in the background, as they were counted at its start, and what is done with each.
  todo integer[] not null default '{}',
  change jsonb,
  -- How many of them the background work has seen, and how many leads the act changed.
  seen integer not null default 0,
  changed integer not null default 0,
  undone_at timestamptz,
  undone_by integer references staff,
  check ((undone_at is null) = (undone_by is null)),
  check ((undone_at is not null) = (state in ('undoing', 'undone')))
);
create index operations_of_staff on operations (staff_id, id desc);

create table operation_changes (
  operation_id integer not null references operations on delete cascade,
  lead_id integer not null references leads on delete cascade,
  -- The columns that became different, with tag_ids; null before: the act entered the lead.
  before jsonb,
  after jsonb not null,
  version_before integer not null,
  version_after integer not null,
  -- What became of it when the act was taken back.
  undo text check (undo in ('undone', 'skipped')),
  primary key (operation_id, lead_id)
);
create index operation_changes_of_lead on operation_changes (lead_id, version_after);
create index operation_changes_to_undo on operation_changes (operation_id, lead_id) where undo is null;

alter table lead_imports add operation_id integer references operations;

-- The trash: a lead that is there is in no list, and its key is free.
alter table leads
  add deleted_at timestamptz,
  add deleted_by integer references staff,
  -- The lead that took this one in.
  add merged_into integer references leads on delete set null,
  add check ((deleted_at is null) = (deleted_by is null)),
  add check (merged_into is null or deleted_at is not null);
create index leads_in_trash on leads (deleted_at desc, lead_id desc) where deleted_at is not null;
create index leads_merged on leads (merged_into) where merged_into is not null;

-- Everything that lists leads lists the living.
drop index leads_reference, leads_by_day, leads_by_day_of_all, leads_by_status, leads_by_color, leads_by_service, leads_by_followup, leads_by_request,
  leads_by_assignee, leads_by_company, leads_search;
create unique index leads_reference on leads (lead_for, reference) where reference is not null and deleted_at is null;
create index leads_by_day on leads (lead_for, lead_date desc, lead_id desc) where deleted_at is null;
create index leads_by_day_of_all on leads (lead_date desc, lead_id desc) where deleted_at is null;
create index leads_by_status on leads (lead_for, status, lead_date desc, lead_id desc) where deleted_at is null;
create index leads_by_color on leads (lead_for, color, lead_date desc, lead_id desc) where deleted_at is null;
create index leads_by_service on leads (lead_for, services, lead_date desc, lead_id desc) where deleted_at is null;
create index leads_by_followup on leads (lead_for, followup_date, lead_id) where followup_date is not null and deleted_at is null;
create index leads_by_request on leads (lead_for, request_date, lead_id) where request_date is not null and deleted_at is null;
create index leads_by_assignee on leads (assign_to, lead_date desc, lead_id desc) where deleted_at is null;
create index leads_by_company on leads (lead_for, lower(company_name), lead_id) where deleted_at is null;
create index leads_by_email on leads (lead_for, lower(email), lead_id) where email <> '' and deleted_at is null;
create index leads_search on leads using gin (search gin_trgm_ops) where deleted_at is null;
