-- What a person did today, which the follow-up queue counts.
-- long lock: the index reads its table once, while nothing is written to it.
create index operations_of_staff_by_time on operations (staff_id, at);
