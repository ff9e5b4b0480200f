-- The day of which the person was reminded: one that moves reminds again.
alter table quick_tasks add column reminded_of date;
create index quick_tasks_to_remind on quick_tasks (due_date, person) where status = 0 and deleted_at is null and due_date is not null and reminded_of is distinct from due_date;
