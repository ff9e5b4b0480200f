-- Teams are a list that people edit and put into an order.
alter table teams add position smallint not null default 0;

-- Two users may share an address: whoever saves the second one is warned.
drop index customer_users_email_key;
create index customer_users_by_email on customer_users (email, id) where deleted_at is null and email is not null;

-- A task of a ticket that is no longer there stays, without it. The tickets came after the tasks: what names none is cleared first.
update tasks set ticket_id = null where ticket_id is not null and not exists (select from tickets t where t.id = tasks.ticket_id);
alter table tasks add constraint tasks_ticket_id_fkey foreign key (ticket_id) references tickets on delete set null;

-- What somebody asked the desk and is not settled is handed over with the rest of their work.
create index tickets_open_of_staff on tickets (staff_id) where staff_id is not null and deleted_at is null and status not in (4, 5);
