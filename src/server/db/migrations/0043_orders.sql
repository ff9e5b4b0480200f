-- Default orders that no index had: all errands by their day, and ends of trials from the last.
create index quick_tasks_all_by_due_date on quick_tasks (due_date, id) where deleted_at is null;
create index organizations_by_trial_end_desc on organizations (trial_end_date desc nulls last, organization_id desc) where deleted_at is null;
