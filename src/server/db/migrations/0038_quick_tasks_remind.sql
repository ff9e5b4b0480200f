-- The day of which a person was reminded: one that moves, or goes to somebody else, reminds again.
alter table quick_tasks add column reminded_of date, add column reminded_person integer references staff;
create index quick_tasks_to_remind on quick_tasks (due_date, person)
  where status = 0 and deleted_at is null and due_date is not null and (reminded_of, reminded_person) is distinct from (due_date, person);
create index quick_tasks_reminded_person on quick_tasks (reminded_person) where reminded_person is not null;
