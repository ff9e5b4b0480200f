-- The forecast adds the amounts of a product's leads.
create index leads_by_currency on leads (lead_for, currency) where deleted_at is null and currency is not null;
