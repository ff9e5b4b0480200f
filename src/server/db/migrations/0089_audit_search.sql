-- The audit log is searched by the values of its changes; a long text is searched in its first 2,000 characters.
alter table audit_log add search text not null generated always as (
  left(search_text(act || ' ' || changes::text), 2000)
) stored;
create index audit_log_by_search on audit_log using gin (search gin_trgm_ops);
-- Changes of one request are one line of the log.
create index audit_log_of_request on audit_log (request_id, id) where request_id <> '';
