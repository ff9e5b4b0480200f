-- Leads with an email address, of one product or of all: a received email asks for those of all. The index began with
-- the product, so that PostgreSQL before 18 read all of it.
-- long lock: with a million leads, it took seconds. A process of the version before reads leads by their address only in
-- requests that create them, from this index, too.
drop index leads_by_email;
create index leads_by_email on leads (lower(email), lead_for, lead_id) where email <> '' and deleted_at is null;

-- Without statistics of the expression, PostgreSQL expects one in two hundred leads to have an address, and would rather
-- read all leads in the order of their IDs until it has two of them.
create statistics leads_email on (lower(email)) from leads;
analyze leads;
