-- Which new tickets each rule fitted, to count how often a rule is used.

create table ticket_rule_matches (
  rule_id integer not null references ticket_rules on delete cascade,
  ticket_id integer not null references tickets on delete cascade,
  matched_at timestamptz not null,
  primary key (rule_id, ticket_id)
);
create index ticket_rule_matches_of_rule on ticket_rule_matches (rule_id, matched_at);
create index ticket_rule_matches_of_ticket on ticket_rule_matches (ticket_id);
