-- The usual American terms for reference data. Rows that someone renamed stay as they are, and so do rows whose new name is taken.
update onboarding_stages s set name = 'Kickoff' where name = 'Kick-off'
  and not exists (select from onboarding_stages o where o.name = 'Kickoff' and o.product_id is not distinct from s.product_id);
update onboarding_stages s set name = 'Setup' where name = 'Set-up'
  and not exists (select from onboarding_stages o where o.name = 'Setup' and o.product_id is not distinct from s.product_id);
-- Leads follow: their column references the name, on update cascade.
update lead_sources set name = 'Trade show' where name = 'Trade fair' and not exists (select from lead_sources where name = 'Trade show');
update contract_statuses set name = 'In effect' where id = 2 and name = 'In force' and not exists (select from contract_statuses where name = 'In effect');
update contract_statuses set name = 'Canceled' where id = 4 and name = 'Cancelled' and not exists (select from contract_statuses where name = 'Canceled');
update ticket_statuses set name = 'Waiting on customer' where id = 3 and name = 'Waiting for the customer'
  and not exists (select from ticket_statuses where name = 'Waiting on customer');
update quick_task_types set name = 'Email' where id = 3 and name = 'Mail' and not exists (select from quick_task_types where name = 'Email');
