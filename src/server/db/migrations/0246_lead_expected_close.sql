-- The list filters by the expected close, and the forecast adds amounts by its month.
create index leads_by_expected_close on leads (lead_for, expected_close)
  where deleted_at is null and expected_close is not null;
create index leads_with_amount on leads (lead_for, currency) where deleted_at is null and currency is not null;
