-- What a lead is worth, when it is expected to close, and how likely a lead in a status is won.
alter table leads
  add amount numeric(14, 2) check (amount >= 0),
  add currency text check (currency ~ '^[A-Z]{3}$'),
  add expected_close date,
  add recurring text not null default 'once' check (recurring in ('once', 'monthly', 'yearly')),
  -- An amount without a currency can't be added to any other.
  add constraint leads_amount_with_currency check ((amount is null) = (currency is null));

create index leads_by_expected_close on leads (lead_for, expected_close, lead_id)
  where expected_close is not null and deleted_at is null;
-- A new lead is offered the currency that was used last.
create index leads_with_amount on leads (lead_id) where currency is not null and deleted_at is null;

alter table lead_statuses add probability smallint not null default 0 check (probability between 0 and 100);
update lead_statuses set probability = case when is_won then 100 when id = 8 then 0 else
  case id when 1 then 5 when 2 then 10 when 3 then 25 when 4 then 40 when 5 then 50 when 6 then 60 else 0 end end;
