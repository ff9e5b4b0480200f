-- The status of leads whose demo is scheduled (2) or completed (3), as in `leads.demo_status`; it is offered when that
-- happens. Each has one status at most. The statuses that the panel starts with have it unless they were renamed.
-- long lock: the table has only the statuses.
alter table lead_statuses add for_demo smallint check (for_demo in (2, 3));
create unique index lead_statuses_for_demo on lead_statuses (for_demo) where for_demo is not null;
update lead_statuses set for_demo = id - 2 where (id, name) in ((4, 'Demo scheduled'), (5, 'Demo done'));
