-- The list and the numbers of the dashboard filter tickets by the day they were created.
create index tickets_by_created on tickets (created_at desc, id desc) where deleted_at is null;
