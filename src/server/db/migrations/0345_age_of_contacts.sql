-- When a contact was added to a lead: one that is newer than the lead is work on it. Contacts from before have no time.
alter table lead_contacts add created_at timestamptz;
alter table lead_contacts alter created_at set default now();
