-- Filters of the lead list by every field. The index of all days has the columns with few different values, so that leads are
-- counted by these without reading them. Those with longer values have indexes of their own, which also find the values
-- that there are.
-- long lock: each index reads its table once, while nothing is written to it; with a million leads, they take seconds each.
drop index leads_by_day_of_all;
create index leads_by_day_of_all on leads (lead_date desc, lead_id desc)
  include (lead_for, status, filled, has_tags, color, lead_type, demo_status, assign_to,
    created_by, reject_reason_id, implement_date, currency, recurring, services)
  where deleted_at is null;
create index leads_by_country on leads (lead_for, lower(country), lead_date desc, lead_id desc) include (country)
  where deleted_at is null;
create index leads_by_timezone on leads (lead_for, timezone, lead_date desc, lead_id desc) where deleted_at is null;
create index leads_by_source on leads (lead_for, hear_about, lead_date desc, lead_id desc) where deleted_at is null;
create index leads_by_creator on leads (created_by, lead_for, lead_date desc, lead_id desc) where deleted_at is null;
create index leads_by_implement_date on leads (lead_for, implement_date, lead_id)
  where implement_date is not null and deleted_at is null;
create index leads_by_contact_role on leads (lower(contact_role)) where contact_role <> '' and deleted_at is null;
create index lead_contacts_by_role on lead_contacts (lower(role)) where role <> '';
