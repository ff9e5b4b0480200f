-- What became of the customers of a delivered task: who got a message, and who was skipped and why.
create table task_notices (
  task_id integer not null references tasks on delete cascade,
  ticket_id integer not null references tickets on delete cascade,
  state text not null check (state in ('sent', 'skipped')),
  -- Why the customer was skipped.
  reason text not null default '' check (char_length(reason) <= 500),
  -- The reply to the customer. Of a skipped ticket: the reply to another ticket of the same requester.
  message_id integer references ticket_messages on delete cascade,
  staff_id integer not null references staff,
  -- A notice from before the task's status last changed is about an earlier delivery, and is replaced by the next one.
  created_at timestamptz not null default now(),
  primary key (task_id, ticket_id),
  check (state <> 'sent' or message_id is not null),
  check (state <> 'skipped' or reason <> '')
);
create index task_notices_of_ticket on task_notices (ticket_id);
create index task_notices_of_message on task_notices (message_id);
