-- Leads with the phone number of a new one are found by its last nine digits, which don't depend on its country code.
-- long lock: each index reads its table once, while nothing is written to it.
create index leads_by_phone on leads (lead_for, right(phone_digits(phone), 9))
  where phone <> '' and deleted_at is null;
create index lead_contacts_by_phone on lead_contacts (right(phone_digits(phone), 9)) where phone <> '';
