-- What people did in a period, which the reports of support and sales count by person.
-- long lock: each index reads its table once, while nothing is written to it.
create index ticket_messages_replies on ticket_messages (created_at) include (ticket_id, staff_id, mail_id)
  where sent_by_admin and staff_id is not null;
create index lead_calls_by_time on lead_calls (called_at) include (id, called_by, lead_id, outcome);
create index lead_demos_completed on lead_demos ((coalesce(final_date, requested_date, created_at))) include (id, lead_id)
  where is_completed and onboarding_id is null;
create index mails_of_leads_by_time on mails (created_at) include (id, staff_id, record_id)
  where record_type = 'lead' and takes_replies and calendar is null and called_off_at is null and staff_id is not null;
create index notes_of_leads_by_time on notes (created_at) include (id, staff_id, record_id)
  where record_type = 'lead' and staff_id is not null;

-- How far the leads of a period got.
create index sales_facts_of_lead on sales_facts (lead_id) include (to_status) where is_first and step >= 0;
