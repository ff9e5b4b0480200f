-- How each column of a file writes numbers, what the preview found in all rows (new tags, unknown people, possible
-- duplicates), and the time zone of the importer, for new leads whose phone number and country leave it open.
alter table lead_imports
  add decimal_forms jsonb not null default '[]',
  add findings jsonb not null default '{}',
  add zone text not null default 'UTC';
