-- How each column of an import's file writes days, where that leaves a choice; empty for earlier uploads.
alter table lead_imports add date_forms jsonb not null default '[]';
