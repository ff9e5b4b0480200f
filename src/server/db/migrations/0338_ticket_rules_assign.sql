-- A ticket rule can assign a ticket, and can be off. A rule of someone who can't open tickets stays, and its page says so.
alter table ticket_rules
  add column new_assignee_id integer references staff on delete set null,
  add column is_on boolean not null default true;
-- long lock: the table has at most 50 rows.
create index ticket_rules_of_new_assignee on ticket_rules (new_assignee_id);
