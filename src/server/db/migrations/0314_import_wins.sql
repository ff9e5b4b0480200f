-- How many leads without an organization the preview of an import sets to a won status. Older previews counted none.
alter table lead_imports add wins_without integer not null default 0;
