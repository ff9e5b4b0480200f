-- A filter on fields with or without a value, or on leads without a next step, keeps any part of all leads. With the columns
-- that these filters read, the index alone finds the leads of a page and counts them, in the order of the list.
-- long lock: leads can't be written while their index is built; with a million of them, it took seconds.
drop index leads_by_day_of_all;
create index leads_by_day_of_all on leads (lead_date desc, lead_id desc) include (lead_for, status, filled)
  where deleted_at is null;
