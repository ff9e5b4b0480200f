-- What filters and forms of leads choose from: data, not code.
create table lead_statuses (
  id smallint primary key,
  name text not null unique check (name <> ''),
  tone text not null,
  position smallint not null
);
create table lead_colors (
  id smallint primary key,
  name text not null unique check (name <> ''),
  tone text not null,
  position smallint not null
);
create table lead_services (name text primary key check (name <> ''));
create table lead_sources (name text primary key check (name <> ''));
create table lead_cog_types (name text primary key check (name <> ''));
create table lead_tags (
  id integer generated always as identity primary key,
  name citext not null unique check (name <> '')
);

create table leads (
  lead_id integer generated always as identity primary key,
  company_name text not null check (company_name <> ''),
  contact_name text not null default '',
  phone text not null default '',
  email text not null default '',
  country text not null default '',
  lead_for smallint not null references products,
  services text references lead_services on update cascade,
  answer text not null default '',
  "join" text not null default '',
  company_url text not null default '' check (company_url = '' or company_url ~* '^https?://'),
  hear_about text references lead_sources on update cascade,
  implement_date date,
  additional_info text not null default '',
  cog_types text[] not null default '{}',
  assign_to integer references staff,
  lead_type smallint not null default 2 check (lead_type in (1, 2)),
  color smallint not null default 0 references lead_colors,
  status smallint not null default 1 references lead_statuses,
  reject_msg text,
  demo_status smallint not null default 0 check (demo_status between 0 and 3),
  lead_date date not null default current_date,
  request_date date,
  followup_date date,
  -- Key of the row in the file that it was imported from.
  reference text check (reference <> ''),
  -- [{ label, value }]: columns of an imported file that no field stands for.
  details jsonb not null default '[]',
  version integer not null default 1,
  created_by integer references staff,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- What the search box looks through, in lower case.
  search text not null generated always as (
    lower(company_name || ' ' || contact_name || ' ' || email || ' ' || phone || ' ' || country || ' ' || coalesce(reference, ''))
  ) stored
);
create unique index leads_reference on leads (lead_for, reference) where reference is not null;
-- The default order, with and without a product; ties are broken by the id.
create index leads_by_day on leads (lead_for, lead_date desc, lead_id desc);
create index leads_by_day_of_all on leads (lead_date desc, lead_id desc);
create index leads_by_status on leads (lead_for, status, lead_date desc, lead_id desc);
create index leads_by_color on leads (lead_for, color, lead_date desc, lead_id desc);
create index leads_by_service on leads (lead_for, services, lead_date desc, lead_id desc);
create index leads_by_followup on leads (lead_for, followup_date, lead_id) where followup_date is not null;
create index leads_by_request on leads (lead_for, request_date, lead_id) where request_date is not null;
create index leads_by_assignee on leads (assign_to, lead_date desc, lead_id desc);
create index leads_by_company on leads (lead_for, lower(company_name), lead_id);
create index leads_search on leads using gin (search gin_trgm_ops);

create table lead_tag_links (
  lead_id integer not null references leads on delete cascade,
  tag_id integer not null references lead_tags on delete cascade,
  primary key (lead_id, tag_id)
);
create index lead_tag_links_by_tag on lead_tag_links (tag_id, lead_id);

create table lead_notes (
  id integer generated always as identity primary key,
  lead_id integer not null references leads on delete cascade,
  body text not null check (body <> ''),
  staff_id integer not null references staff,
  created_at timestamptz not null default now()
);
create index lead_notes_of_lead on lead_notes (lead_id, id desc);

create table lead_imports (
  id integer generated always as identity primary key,
  staff_id integer not null references staff,
  file_name text not null,
  state text not null default 'uploaded' check (state in ('uploaded', 'checked', 'running', 'done', 'failed')),
  headers jsonb not null,
  mapping jsonb not null,
  row_count integer not null,
  created_at timestamptz not null default now(),
  finished_at timestamptz
);
create index lead_imports_by_age on lead_imports (id desc);

create table lead_import_rows (
  import_id integer not null references lead_imports on delete cascade,
  -- The line of the file on which the row begins; the header is line 1.
  line integer not null,
  cells jsonb not null,
  -- What the dry run said, then what the run did.
  outcome text check (outcome in ('create', 'update', 'duplicate', 'error')),
  reason text not null default '',
  lead_id integer references leads on delete set null,
  done_at timestamptz,
  primary key (import_id, line)
);
create index lead_import_rows_by_outcome on lead_import_rows (import_id, outcome, line);
-- For the line that entered a lead, and for a lead that is deleted.
create index lead_import_rows_of_lead on lead_import_rows (lead_id) where lead_id is not null;
create index lead_import_rows_to_do on lead_import_rows (import_id, line) where done_at is null;
