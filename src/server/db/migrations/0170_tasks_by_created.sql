-- Tasks are sorted by the time they were created, which restored and imported tasks don't share with their number.
drop index tasks_newest;
create index tasks_newest on tasks (discipline, product_id, created_at desc, id desc) where deleted_at is null;
